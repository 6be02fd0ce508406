//! What epoll does not watch, and how often the kernel is asked: nothing spins.

use std::{
    fs::File,
    io::{self, Write},
};

use probe::within;
use rustix::pipe::{PipeFlags, pipe_with};
use step09_epoll_reactor::{
    Selector, Trigger, block_on, stdin::Stdin, timeout, v1_by_hand, v2_epoll::Epoll,
    v3_polling::Polling,
};

use crate::{SHORT, TOO_LONG, counted::Counted, five_ticks, next, pipe};

#[test]
fn what_epoll_does_not_watch_is_refused() {
    let file = File::open(env!("CARGO_MANIFEST_PATH")).unwrap();
    let null = File::open("/dev/null").unwrap();
    let folder = File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
    block_on(async {
        for refused in [file, null, folder] {
            let error = Stdin::watch(refused).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        }
    });
}

/// Five ticks need five waits. A few more may come from a wait that ends early.
const FEW: usize = 20;

#[test]
fn at_the_end_of_the_input_nothing_spins() {
    ticks_after_the_end(Epoll::new().unwrap());
    ticks_after_the_end(Polling::new().unwrap());
}

fn ticks_after_the_end(selector: impl Selector + 'static) {
    let (mut runtime, calls) = Counted::runtime(selector);
    within(TOO_LONG, || {
        runtime.block_on(async {
            let (input, _) = pipe(); // the output is closed at once
            let mut stdin = Stdin::watch(input).unwrap();
            assert_eq!(next(&mut stdin).await, None);
            five_ticks().await;
        });
    });
    let waits = calls.so_far().waits;
    assert!(waits < FEW, "{waits}");
}

#[test]
fn while_a_line_is_unread_nothing_spins() {
    let (mut runtime, calls) = Counted::runtime(Epoll::new().unwrap());
    within(TOO_LONG, || {
        runtime.block_on(async {
            let (input, mut output) = pipe();
            let mut stdin = Stdin::watch(input).unwrap();
            assert!(timeout(SHORT, stdin.read_line()).await.is_err());
            output.write_all(b"39\n").unwrap();
            five_ticks().await;
            assert_eq!(next(&mut stdin).await.as_deref(), Some("39"));
        });
    });
    let waits = calls.so_far().waits;
    assert!(waits < FEW, "{waits}");
}

#[test]
fn at_the_end_of_its_input_version_1_does_not_spin() {
    for trigger in [Trigger::Level, Trigger::OneShot, Trigger::Edge] {
        let (input, _) = pipe_with(PipeFlags::NONBLOCK).unwrap();
        let (mut runtime, mut input) = v1_by_hand::open(input, trigger).unwrap();
        within(TOO_LONG, || {
            runtime.block_on(async {
                assert_eq!(input.read(&mut [0; 8]).await.unwrap(), 0);
                five_ticks().await;
                assert_eq!(input.read(&mut [0; 8]).await.unwrap(), 0);
            });
        });
        let waits = input.calls().waits;
        assert!(waits < FEW, "{trigger:?}: {waits}");
    }
}

#[test]
fn version_1_waits_for_each_read_while_another_task_ticks() {
    for trigger in [Trigger::Level, Trigger::OneShot] {
        let (input, mut output) = pipe();
        let (mut runtime, mut input) = v1_by_hand::open(input, trigger).unwrap();
        within(TOO_LONG, || {
            runtime.block_on(async {
                for _ in 0..3 {
                    output.write_all(b"39").unwrap();
                    let mut buffer = [0; 8];
                    assert_eq!(input.read(&mut buffer).await.unwrap(), 2);
                    // A blocking read without an event would stop the ticks.
                    let waited = timeout(SHORT, input.read(&mut buffer)).await;
                    assert!(waited.is_err(), "there is nothing to read");
                }
            });
        });
    }
}

//! What epoll does not watch, and how often the kernel is asked: nothing spins.

use std::{
    fs::File,
    io::{self, Write},
};

use probe::within;
use step09_epoll_reactor::{
    Selector, block_on, stdin::Stdin, timeout, v2_epoll::Epoll, v3_polling::Polling,
};

use crate::counted::Counted;

use super::{SHORT, TOO_LONG, five_ticks, next, pipe};

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

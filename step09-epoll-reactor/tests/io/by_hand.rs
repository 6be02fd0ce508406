//! Version 1, and what it asks of the kernel beside the two ways in which version 2 watches a descriptor.

use std::{
    fs::File,
    io::{ErrorKind, Read, Write},
    os::unix::net::UnixStream,
    thread,
    time::Duration,
};

use futures::{channel::oneshot, poll};
use probe::within;
use step09_epoll_reactor::{
    Runtime, sleep,
    v1_by_hand::{Input, open},
};

use super::{LIMIT, kind};
use crate::counted_park::{CountedPark, Waits};

/// A runtime, its input, how often it waits, and the end that feeds it.
fn opened() -> (Runtime, Input, Waits, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let (epoll, input) = open(ours).unwrap();
    let (park, waits) = CountedPark::new(epoll);
    (Runtime::with_park(park), input, waits, theirs)
}

async fn read(input: &mut Input) -> Vec<u8> {
    let mut buffer = [0; 4];
    let length = input.read(&mut buffer).await.unwrap();
    buffer[..length].to_vec()
}

#[test]
fn data_larger_than_the_buffer_is_read_in_parts() {
    within(LIMIT, || {
        let (mut runtime, mut input, _, mut theirs) = opened();
        theirs.write_all(b"0123456789").unwrap();
        drop(theirs);
        runtime.block_on(async {
            // An empty buffer is not taken for the end.
            assert_eq!(input.read(&mut []).await.unwrap(), 0);
            for part in [&b"0123"[..], b"4567", b"89", b"", b""] {
                assert_eq!(read(&mut input).await, part);
            }
        });
    });
}

/// Sleeps five times, and returns how many waits that took.
async fn waits_of_five_sleeps(waits: &Waits) -> usize {
    let before = waits.so_far();
    for _ in 0..5 {
        sleep(Duration::from_millis(1)).await;
    }
    waits.so_far() - before
}

#[test]
fn another_thread_ends_one_wait_and_the_executor_sleeps_again() {
    within(LIMIT, || {
        let (mut runtime, _input, waits, _theirs) = opened();
        for round in 1..=3 {
            let (sender, receiver) = oneshot::channel();
            let other = thread::spawn(move || sender.send(round));
            assert_eq!(runtime.block_on(receiver), Ok(round));
            other.join().unwrap().unwrap();
        }
        assert!(waits.so_far() <= 3);
        assert!(runtime.block_on(waits_of_five_sleeps(&waits)) <= 6);
    });
}

#[test]
fn after_the_end_of_the_input_the_executor_sleeps_again() {
    within(LIMIT, || {
        let (mut runtime, mut input, waits, theirs) = opened();
        drop(theirs);
        runtime.block_on(async {
            assert_eq!(read(&mut input).await, b"");
            assert!(waits_of_five_sleeps(&waits).await <= 5);
        });
    });
}

#[test]
fn a_regular_file_is_refused_by_version_1() {
    let file = File::open(env!("CARGO_MANIFEST_PATH")).unwrap();
    assert_eq!(kind(open(file)), Some(ErrorKind::PermissionDenied));
}

/// The waker of a read that was given up leads back to the epoll that keeps it.
#[test]
fn after_a_read_was_given_up_all_is_closed() {
    within(LIMIT, || {
        let (mut runtime, mut input, _, mut theirs) = opened();
        runtime.block_on(async { assert!(poll!(Box::pin(read(&mut input))).is_pending()) });
        drop((runtime, input));
        // It waits, because a program that another test starts has a copy of every descriptor for a moment.
        assert_eq!(theirs.read(&mut [0; 4]).unwrap(), 0);
    });
}

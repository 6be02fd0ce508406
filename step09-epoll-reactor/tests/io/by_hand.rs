//! Version 1, and what it asks of the kernel beside the two ways in which version 2 watches a descriptor.

use std::{
    fs::File,
    future::poll_fn,
    io::{ErrorKind, Read, Write},
    os::unix::net::UnixStream,
    sync::mpsc,
    thread,
    time::Duration,
};

use futures::{channel::oneshot, join, poll};
use probe::within;
use step09_epoll_reactor::{
    Direction, Registered, Runtime, sleep,
    v1_by_hand::{Input, open},
    v2_epoll::Epoll,
};

use super::{LIMIT, kind};
use crate::counted::{Counted, CountedPark, Waits};

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
fn data_that_is_larger_than_the_buffer_is_read_in_parts_and_then_the_end() {
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

#[test]
fn data_in_parts_wakes_the_task_for_each_part() {
    within(LIMIT, || {
        let (mut runtime, mut input, _, mut theirs) = opened();
        let (go_on, wait) = mpsc::channel();
        let writer = thread::spawn(move || {
            for part in [b"1", b"2", b"3"] {
                wait.recv().unwrap();
                theirs.write_all(part).unwrap();
            }
        });
        runtime.block_on(async {
            for part in [b"1", b"2", b"3"] {
                go_on.send(()).unwrap();
                assert_eq!(read(&mut input).await, part);
            }
            assert_eq!(read(&mut input).await, b"");
        });
        writer.join().unwrap();
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
fn the_end_of_a_pipe_whose_writer_has_gone() {
    within(LIMIT, || {
        let (ours, theirs) = rustix::pipe::pipe().unwrap();
        let (epoll, mut input) = open(ours).unwrap();
        Runtime::with_park(epoll).block_on(async {
            let (text, ()) = join!(read(&mut input), async { drop(theirs) });
            assert_eq!(text, b"");
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
        theirs.set_nonblocking(true).unwrap();
        let end = theirs.read(&mut [0; 4]);
        assert_eq!(end.map_err(|error| error.kind()), Ok(0));
    });
}

type Register = fn(UnixStream) -> std::io::Result<Registered<UnixStream>>;

/// What version 2 is asked for reads that a peer is the reason of: waits, calls to arm, and reads.
fn asked(
    register: Register,
    messages: impl AsyncFnOnce(&mut UnixStream, &Reads<'_>),
) -> [usize; 3] {
    let (mut runtime, calls) = Counted::runtime(Epoll::new().unwrap());
    let (ours, mut theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    runtime.block_on(async {
        let registered = register(ours).unwrap();
        let before = calls.so_far(); // which is what it took to register it
        let tries = std::cell::Cell::new(0);
        let reads = Reads {
            registered: &registered,
            tries: &tries,
        };
        messages(&mut theirs, &reads).await;
        let asked = calls.so_far() - before;
        [asked.waits, asked.arms, tries.get()]
    })
}

/// The reads of a descriptor.
struct Reads<'a> {
    registered: &'a Registered<UnixStream>,
    tries: &'a std::cell::Cell<usize>,
}

impl Reads<'_> {
    async fn next(&self) -> Vec<u8> {
        let mut buffer = [0; 4];
        let length = poll_fn(|cx| {
            self.registered.poll_io(Direction::Read, cx, |mut input| {
                self.tries.set(self.tries.get() + 1);
                input.read(&mut buffer)
            })
        });
        let length = length.await.unwrap();
        buffer[..length].to_vec()
    }
}

// Messages that arrive one at a time, while the task waits.
#[test]
fn one_shot_is_armed_for_each_message_and_edge_reads_once_more() {
    within(LIMIT, || {
        let (mut runtime, mut input, waits, mut theirs) = opened();
        runtime.block_on(async {
            for _ in 0..10 {
                let write = async { theirs.write_all(b"39").unwrap() }; // after the read has been polled
                assert_eq!(join!(read(&mut input), write).0, b"39");
            }
        });
        assert_eq!(waits.so_far(), 10);
        let ways: [(Register, _); 2] = [
            (Registered::blocking, [10, 10, 10]),
            (Registered::not_ready, [10, 0, 19]),
        ];
        for (register, expected) in ways {
            let asked = asked(register, async |theirs, reads| {
                for _ in 0..10 {
                    let write = async { theirs.write_all(b"39").unwrap() };
                    assert_eq!(join!(reads.next(), write).0, b"39");
                }
            });
            assert_eq!(asked, expected);
        }
    });
}

// 40 bytes are there, and the buffer holds 4.
#[test]
fn edge_waits_once_for_data_that_takes_many_reads() {
    within(LIMIT, || {
        let (mut runtime, mut input, waits, mut theirs) = opened();
        theirs.write_all(&[7; 40]).unwrap();
        runtime.block_on(async {
            for _ in 0..10 {
                assert_eq!(read(&mut input).await, [7; 4]);
            }
        });
        assert_eq!(waits.so_far(), 10);
        let ways: [(Register, _); 2] = [
            (Registered::blocking, [10, 10, 10]),
            (Registered::not_ready, [1, 0, 10]),
        ];
        for (register, expected) in ways {
            let asked = asked(register, async |theirs, reads| {
                theirs.write_all(&[7; 40]).unwrap();
                for _ in 0..10 {
                    assert_eq!(reads.next().await, [7; 4]);
                }
            });
            assert_eq!(asked, expected);
        }
    });
}

// The data is there, and the task does something else: it sleeps for a millisecond 20 times.
#[test]
fn while_a_slow_task_leaves_data_unread_only_level_is_reported_again() {
    within(LIMIT, || {
        let (mut runtime, mut input, waits, mut theirs) = opened();
        theirs.write_all(b"39").unwrap();
        runtime.block_on(async {
            // It is busy, until the data is read.
            while waits.so_far() < 1_000 {
                sleep(Duration::from_millis(1)).await;
            }
            assert_eq!(read(&mut input).await, b"39");
        });
        for register in [Registered::blocking as Register, Registered::not_ready] {
            let [waits, ..] = asked(register, async |theirs, reads| {
                assert!(poll!(Box::pin(reads.next())).is_pending()); // which arms it
                theirs.write_all(b"39").unwrap();
                for _ in 0..20 {
                    sleep(Duration::from_millis(1)).await;
                }
                assert_eq!(reads.next().await, b"39");
            });
            // A wait for each sleep, and those that reports have ended.
            assert!(waits <= 22, "{waits}");
        }
    });
}

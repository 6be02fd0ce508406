//! Version 1: one descriptor, watched in each of the three ways, and what each way asks of the kernel.

use std::{
    fs::{self, File},
    io::{ErrorKind, Read, Write},
    os::unix::{fs::OpenOptionsExt, net::UnixStream},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread,
    time::Duration,
};

use futures::{channel::oneshot, join, poll};
use probe::within;
use rustix::fs::OFlags;
use step09_epoll_reactor::{
    Runtime, Trigger, sleep,
    v1_by_hand::{Calls, Input, open},
};

use super::{LIMIT, kind};

const ALL: [Trigger; 3] = [Trigger::Level, Trigger::OneShot, Trigger::Edge];

/// A runtime, its input, and the end that feeds it.
fn opened(trigger: Trigger) -> (Runtime, Input, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(trigger == Trigger::Edge).unwrap();
    let (runtime, input) = open(ours, trigger).unwrap();
    (runtime, input, theirs)
}

async fn read(input: &mut Input) -> Vec<u8> {
    let mut buffer = [0; 4];
    let length = input.read(&mut buffer).await.unwrap();
    buffer[..length].to_vec()
}

#[test]
fn data_that_is_larger_than_the_buffer_is_read_in_parts_and_then_the_end() {
    within(LIMIT, || {
        for trigger in ALL {
            let (mut runtime, mut input, mut theirs) = opened(trigger);
            theirs.write_all(b"0123456789").unwrap();
            drop(theirs);
            runtime.block_on(async {
                for part in [&b"0123"[..], b"4567", b"89", b"", b""] {
                    assert_eq!(read(&mut input).await, part, "{trigger:?}");
                }
            });
        }
    });
}

#[test]
fn an_empty_buffer_is_not_taken_for_the_end_of_the_input() {
    within(LIMIT, || {
        for trigger in ALL {
            let (mut runtime, mut input, mut theirs) = opened(trigger);
            theirs.write_all(b"7").unwrap();
            runtime.block_on(async {
                assert_eq!(input.read(&mut []).await.unwrap(), 0);
                assert_eq!(read(&mut input).await, b"7", "{trigger:?}");
            });
        }
    });
}

#[test]
fn data_in_parts_wakes_the_task_for_each_part() {
    within(LIMIT, || {
        for trigger in ALL {
            let (mut runtime, mut input, mut theirs) = opened(trigger);
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
                    assert_eq!(read(&mut input).await, part, "{trigger:?}");
                }
                assert_eq!(read(&mut input).await, b"", "{trigger:?}");
            });
            writer.join().unwrap();
        }
    });
}

#[test]
fn another_thread_ends_the_wait() {
    within(LIMIT, || {
        for trigger in ALL {
            let (mut runtime, input, _theirs) = opened(trigger);
            for round in 1..=3 {
                let (sender, receiver) = oneshot::channel();
                let other = thread::spawn(move || sender.send(round));
                assert_eq!(runtime.block_on(receiver), Ok(round));
                other.join().unwrap().unwrap();
            }
            assert!(input.calls().waits <= 3, "{:?}", input.calls());
        }
    });
}

/// Sleeps five times, and returns how many waits that took.
async fn waits_of_five_sleeps(input: &Input) -> usize {
    let before = input.calls().waits;
    for _ in 0..5 {
        sleep(Duration::from_millis(1)).await;
    }
    input.calls().waits - before
}

#[test]
fn after_a_wake_from_another_thread_the_executor_sleeps_again() {
    within(LIMIT, || {
        for trigger in ALL {
            let (mut runtime, input, _theirs) = opened(trigger);
            let (sender, receiver) = oneshot::channel();
            let other = thread::spawn(move || {
                thread::sleep(Duration::from_millis(20)); // while the executor waits
                sender.send(7)
            });
            runtime.block_on(async {
                assert_eq!(receiver.await, Ok(7));
                assert!(waits_of_five_sleeps(&input).await <= 5, "{trigger:?}");
            });
            other.join().unwrap().unwrap();
        }
    });
}

#[test]
fn after_the_end_of_the_input_the_executor_sleeps_again() {
    within(LIMIT, || {
        for trigger in ALL {
            let (mut runtime, mut input, theirs) = opened(trigger);
            drop(theirs);
            runtime.block_on(async {
                assert_eq!(read(&mut input).await, b"", "{trigger:?}");
                assert!(waits_of_five_sleeps(&input).await <= 5, "{trigger:?}");
            });
        }
    });
}

#[test]
fn the_end_of_a_pipe_whose_writer_has_gone() {
    within(LIMIT, || {
        for trigger in ALL {
            let (ours, theirs) = rustix::pipe::pipe().unwrap();
            rustix::fs::fcntl_setfl(&ours, OFlags::NONBLOCK).unwrap();
            let (mut runtime, mut input) = open(ours, trigger).unwrap();
            runtime.block_on(async {
                let (text, ()) = join!(read(&mut input), async { drop(theirs) });
                assert_eq!(text, b"", "{trigger:?}");
            });
        }
    });
}

#[test]
fn a_regular_file_is_refused() {
    let path = std::env::temp_dir().join(format!("by-hand-{}", std::process::id()));
    fs::write(&path, "39\n").unwrap();
    for trigger in ALL {
        let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap();
        let file = File::options().read(true).custom_flags(flags).open(&path);
        let refused = kind(open(file.unwrap(), trigger));
        assert_eq!(refused, Some(ErrorKind::PermissionDenied), "{trigger:?}");
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn edges_of_a_descriptor_that_may_block_are_refused() {
    let (ours, _theirs) = UnixStream::pair().unwrap();
    let refused = kind(open(ours, Trigger::Edge));
    assert_eq!(refused, Some(ErrorKind::InvalidInput));
}

#[test]
fn an_input_is_for_the_block_on_of_its_own_runtime_alone() {
    let (_runtime, mut input, _theirs) = opened(Trigger::Level);
    let (mut other, _, _theirs) = opened(Trigger::Level);
    let read = AssertUnwindSafe(|| other.block_on(read(&mut input)));
    assert!(catch_unwind(read).is_err());
}

// Messages that arrive one at a time, while the task waits.
#[test]
fn one_shot_is_armed_for_each_message_and_edge_reads_once_more() {
    within(LIMIT, || {
        let expected = [(10, 0, 10), (10, 10, 10), (10, 0, 19)];
        for (trigger, (waits, arms, reads)) in ALL.into_iter().zip(expected) {
            let (mut runtime, mut input, mut theirs) = opened(trigger);
            runtime.block_on(async {
                for _ in 0..10 {
                    let write = async { theirs.write_all(b"39").unwrap() }; // after the read has been polled
                    let (message, ()) = join!(read(&mut input), write);
                    assert_eq!(message, b"39");
                }
            });
            let expected = Calls { waits, arms, reads };
            assert_eq!(input.calls(), expected, "{trigger:?}");
        }
    });
}

// 40 bytes are there, and the buffer holds 4.
#[test]
fn edge_waits_once_for_data_that_takes_many_reads() {
    within(LIMIT, || {
        let expected = [(10, 0, 10), (10, 10, 10), (1, 0, 10)];
        for (trigger, (waits, arms, reads)) in ALL.into_iter().zip(expected) {
            let (mut runtime, mut input, mut theirs) = opened(trigger);
            theirs.write_all(&[7; 40]).unwrap();
            runtime.block_on(async {
                for _ in 0..10 {
                    assert_eq!(read(&mut input).await, [7; 4]);
                }
            });
            let expected = Calls { waits, arms, reads };
            assert_eq!(input.calls(), expected, "{trigger:?}");
        }
    });
}

// The data is there, and the task does something else: it sleeps for a millisecond 20 times.
#[test]
fn while_a_slow_task_leaves_data_unread_only_level_is_reported_again() {
    within(LIMIT, || {
        for trigger in ALL {
            let (mut runtime, mut input, mut theirs) = opened(trigger);
            runtime.block_on(async {
                let mut message = Box::pin(read(&mut input));
                assert!(poll!(&mut message).is_pending()); // which arms it
                drop(message);
                theirs.write_all(b"39").unwrap();
                for _ in 0..20 {
                    sleep(Duration::from_millis(1)).await;
                }
                let waits = input.calls().waits;
                match trigger {
                    // It is busy, until the data is read.
                    Trigger::Level => {
                        while input.calls().waits < 1_000 {
                            sleep(Duration::from_millis(1)).await;
                        }
                    }
                    // A wait for each sleep, and one that the report ended.
                    _ => assert!(waits <= 21, "{trigger:?}: {waits}"),
                }
                assert_eq!(read(&mut input).await, b"39");
            });
        }
    });
}

/// The waker of a read that was given up leads back to the epoll that keeps it.
#[test]
fn after_a_read_was_given_up_all_is_closed() {
    within(LIMIT, || {
        for trigger in ALL {
            let (mut runtime, mut input, mut theirs) = opened(trigger);
            runtime.block_on(async { assert!(poll!(Box::pin(read(&mut input))).is_pending()) });
            drop((runtime, input));
            theirs.set_nonblocking(true).unwrap();
            let end = theirs.read(&mut [0; 4]);
            assert_eq!(end.map_err(|error| error.kind()), Ok(0), "{trigger:?}");
        }
    });
}

#[test]
fn an_input_is_printed_without_its_lock() {
    let (_runtime, input, _theirs) = opened(Trigger::Level);
    let printed = format!("{input:?}");
    assert!(
        printed.starts_with("Input { epoll: Epoll(Level), "),
        "{printed}"
    );
}

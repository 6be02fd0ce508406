//! Lines and numbers from an input that is watched, and from one that a thread reads.

// Miri knows no epoll.
#![cfg(all(unix, not(miri)))]

use std::{
    fs::File,
    io::{self, Read, Write},
    os::fd::{AsFd, OwnedFd},
    pin::pin,
    task::Context,
    time::Duration,
};

use futures::{
    StreamExt,
    future::{self, Either},
};
use probe::{CountingWaker, within};
use rustix::{
    fs::{OFlags, fcntl_getfl},
    pipe::pipe,
};
use step09_epoll_reactor::{
    Direction, Elapsed, Registered, block_on, interval, sleep,
    stdin::{LIMIT, Stdin, StdinFuture},
    timeout,
};

#[cfg(target_os = "linux")]
#[path = "../src/demo/counted.rs"]
mod counted;

const TOO_LONG: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(2);

/// Runs a test on a pipe that is watched, and then on one that a thread reads.
fn on_both(test: impl AsyncFn(Stdin, File)) {
    within(TOO_LONG, || {
        block_on(async {
            let (input, output) = pipe().unwrap();
            test(Stdin::watch(input).unwrap(), File::from(output)).await;
            let (input, output) = pipe().unwrap();
            let stdin = Stdin::on_thread(File::from(input)).unwrap();
            test(stdin, File::from(output)).await;
        });
    });
}

async fn next(stdin: &mut Stdin) -> Option<String> {
    let line = stdin.read_line().await;
    line.unwrap_or_else(|error| Some(error.to_string()))
}

/// Completes after five ticks, which have to wait for the executor.
async fn five_ticks() {
    interval(SHORT).take(5).for_each(async |()| ()).await;
}

#[test]
fn two_lines_in_one_write_are_two_lines_and_the_last_one_needs_no_newline() {
    on_both(async |mut stdin, mut output| {
        output.write_all(b"39\n40\n41").unwrap();
        drop(output);
        assert_eq!(next(&mut stdin).await.as_deref(), Some("39"));
        assert_eq!(next(&mut stdin).await.as_deref(), Some("40"));
        assert_eq!(next(&mut stdin).await.as_deref(), Some("41"));
        for _ in 0..3 {
            assert_eq!(next(&mut stdin).await, None, "the end stays the end");
        }
    });
}

#[test]
fn a_line_whose_bytes_come_one_by_one_outlives_every_future_that_waited_for_it() {
    on_both(async |mut stdin, mut output| {
        for byte in "2147483647".bytes() {
            output.write_all(&[byte]).unwrap();
            let waited = timeout(SHORT, stdin.read_line()).await;
            assert!(waited.is_err(), "there is no newline yet");
            let waited = timeout(SHORT, StdinFuture::new(&mut stdin)).await;
            assert!(waited.is_err(), "there is no newline yet");
        }
        output.write_all(b"\n1\n").unwrap();
        let sum = StdinFuture::new(&mut stdin).await;
        assert_eq!(sum.unwrap(), Some(2_147_483_657));
        assert_eq!(next(&mut stdin).await.as_deref(), Some("1"));
    });
}

#[test]
fn other_tasks_go_on_while_the_input_is_silent_in_the_middle_of_a_line() {
    on_both(async |mut stdin, mut output| {
        for part in ["", "3", "9"] {
            output.write_all(part.as_bytes()).unwrap();
            let line = pin!(stdin.read_line());
            let Either::Right(_) = future::select(line, pin!(five_ticks())).await else {
                panic!("there is no newline yet");
            };
        }
        output.write_all(b"\n").unwrap();
        assert_eq!(next(&mut stdin).await.as_deref(), Some("39"));
    });
}

#[test]
fn the_task_that_polled_last_is_woken() {
    on_both(async |mut stdin, mut output| {
        let earlier = CountingWaker::new();
        let waker = earlier.waker();
        let polled = pin!(stdin.read_line()).poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending());
        let line = pin!(stdin.read_line());
        let Either::Right((_, line)) = future::select(line, pin!(sleep(SHORT))).await else {
            panic!("nothing has been written");
        };
        output.write_all(b"39\n").unwrap();
        assert_eq!(line.await.unwrap().as_deref(), Some("39"));
        assert_eq!(earlier.wakes(), 0);
    });
}

#[test]
fn each_line_is_a_sum_or_an_error_that_names_it() {
    let longest = "0".repeat(LIMIT - 1) + "7";
    let too_long = longest.clone() + "0";
    let cases: &[(&[u8], &str)] = &[
        (b"39", "49"),
        (b"0", "10"),
        (b"-5", "5"),
        (b"+5", "15"),
        (b"  7\t", "17"),
        (b"7\r", "17"),
        (b"2147483647", "2147483657"),
        (b"9223372036854775797", "9223372036854775807"),
        (b"-9223372036854775808", "-9223372036854775798"),
        (longest.as_bytes(), "17"),
        (
            b"9223372036854775807",
            "\"9223372036854775807\" and 10 do not fit into 64 bits",
        ),
        (
            b"9223372036854775808",
            "\"9223372036854775808\" does not fit into 64 bits",
        ),
        (
            b"-9223372036854775809",
            "\"-9223372036854775809\" does not fit into 64 bits",
        ),
        (b"abc", "\"abc\" is not a whole number"),
        (b"1 2", "\"1 2\" is not a whole number"),
        (b"1.5", "\"1.5\" is not a whole number"),
        (b"-", "\"-\" is not a whole number"),
        (b"\x1b[31m", "\"\\u{1b}[31m\" is not a whole number"),
        (b"", "it is empty, not a number"),
        (b"\r", "it is empty, not a number"),
        (b" ", "\" \" is not a whole number"),
        (b"3\xff9", "it is not UTF-8"),
        (too_long.as_bytes(), "it is longer than 65536 bytes"),
    ];
    let mut all: Vec<u8> = Vec::new();
    for (line, _) in cases {
        all.extend_from_slice(line);
        all.push(b'\n');
    }
    within(TOO_LONG, || {
        block_on(async {
            let mut stdin = Stdin::on_thread(io::Cursor::new(all)).unwrap();
            for (number, (line, expected)) in (1..).zip(cases) {
                let line = String::from_utf8_lossy(line);
                match StdinFuture::new(&mut stdin).await {
                    Ok(sum) => assert_eq!(sum.unwrap().to_string(), *expected, "{line:?}"),
                    Err(error) => {
                        assert_eq!((error.line(), error.is_fatal()), (number, false));
                        assert_eq!(error.to_string(), format!("line {number}: {expected}"));
                    }
                }
            }
            assert_eq!(StdinFuture::new(&mut stdin).await.unwrap(), None);
        });
    });
}

#[test]
fn what_is_quoted_of_a_line_is_short() {
    within(TOO_LONG, || {
        block_on(async {
            let mut stdin = Stdin::on_thread(io::repeat(b'x').take(1_000)).unwrap();
            let error = StdinFuture::new(&mut stdin).await.unwrap_err();
            let forty = "x".repeat(40);
            assert_eq!(
                error.to_string(),
                format!("line 1: \"{forty}\"… is not a whole number")
            );
        });
    });
}

/// Answers each read with the next of these.
struct Script(Vec<io::Result<&'static str>>);

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let text = self.0.remove(0)?;
        buffer[..text.len()].copy_from_slice(text.as_bytes());
        Ok(text.len())
    }
}

fn script(answers: Vec<io::Result<&'static str>>) -> Stdin {
    Stdin::on_thread(Script(answers)).unwrap()
}

#[test]
fn a_read_that_a_signal_interrupts_is_made_again() {
    let interrupted = || Err(io::ErrorKind::Interrupted.into());
    within(TOO_LONG, || {
        block_on(async {
            let mut stdin = script(vec![Ok("3"), interrupted(), interrupted(), Ok("9\n")]);
            assert_eq!(next(&mut stdin).await.as_deref(), Some("39"));
        });
    });
}

#[test]
fn an_error_of_the_input_names_the_line_that_cannot_be_read_and_keeps_what_came_before() {
    let error = || Err(io::Error::other("unplugged"));
    within(TOO_LONG, || {
        block_on(async {
            let mut stdin = script(vec![Ok("1\n2\n3"), error(), Ok("4\n")]);
            assert_eq!(next(&mut stdin).await.as_deref(), Some("1"));
            assert_eq!(next(&mut stdin).await.as_deref(), Some("2"));
            let error = stdin.read_line().await.unwrap_err();
            assert!(error.is_fatal());
            let text = "line 3: it cannot be read: unplugged";
            assert_eq!(error.to_string(), text);
            assert_eq!(next(&mut stdin).await.as_deref(), Some("34"));
        });
    });
}

#[test]
fn a_reader_that_panics_is_an_error_and_no_hang() {
    within(TOO_LONG, || {
        block_on(async {
            let mut stdin = script(vec![]);
            for _ in 0..2 {
                let error = stdin.read_line().await.unwrap_err();
                let text = "line 1: it cannot be read: the thread that reads has panicked";
                assert_eq!(error.to_string(), text);
            }
        });
    });
}

#[test]
fn a_descriptor_is_never_made_non_blocking() {
    within(TOO_LONG, || {
        block_on(async {
            let (input, output) = pipe().unwrap();
            let flags = || fcntl_getfl(&input).unwrap();
            let (before, mut output) = (flags(), File::from(output));
            assert!(!before.contains(OFlags::NONBLOCK));
            let mut stdin = Stdin::watch(input.try_clone().unwrap()).unwrap();
            assert_eq!(flags(), before);
            let waited = timeout(SHORT, stdin.read_line()).await;
            assert_eq!((waited.unwrap_err(), flags()), (Elapsed, before));
            output.write_all(b"39\n").unwrap();
            next(&mut stdin).await;
            assert_eq!(flags(), before);
            drop(stdin);
            assert_eq!(flags(), before);
        });
    });
}

#[test]
fn an_interrupted_read_of_what_may_block_is_not_made_again_before_the_next_event() {
    within(TOO_LONG, || {
        let mut reads = 0;
        let read = block_on(async {
            let (input, output) = pipe().unwrap();
            File::from(output).write_all(b"39").unwrap();
            let input = Registered::blocking(input).unwrap();
            future::poll_fn(|cx| {
                let before = reads;
                let result = input.poll_io(Direction::Read, cx, |input| {
                    reads += 1;
                    match reads {
                        1 => Err(io::ErrorKind::Interrupted.into()),
                        _ => Ok(rustix::io::read(input, &mut [0; 8])?),
                    }
                });
                assert!(reads <= before + 1, "it may block the second time");
                result
            })
            .await
        });
        assert_eq!((read.unwrap(), reads), (2, 2));
    });
}

#[test]
fn dropped_it_is_watched_no_more_and_may_be_watched_again() {
    within(TOO_LONG, || {
        block_on(async {
            let (input, output) = pipe().unwrap();
            let mut output = File::from(output);
            let input: &'static OwnedFd = Box::leak(Box::new(input));
            for _ in 0..3 {
                let mut stdin = Stdin::watch(input.as_fd()).unwrap();
                let twice = Stdin::watch(input.as_fd()).unwrap_err();
                assert_eq!(twice.kind(), io::ErrorKind::AlreadyExists);
                let waited = timeout(SHORT, stdin.read_line()).await;
                assert!(waited.is_err());
            }
            output.write_all(b"39\n").unwrap();
            let mut stdin = Stdin::watch(input.as_fd()).unwrap();
            assert_eq!(next(&mut stdin).await.as_deref(), Some("39"));
        });
    });
}

#[test]
fn when_its_runtime_has_been_dropped_it_fails() {
    within(TOO_LONG, || {
        let (input, output) = pipe().unwrap();
        let mut stdin = block_on(async { Stdin::watch(input).unwrap() });
        let error = block_on(stdin.read_line()).unwrap_err();
        let text =
            "line 1: it cannot be read: the runtime of this socket or input has been dropped";
        assert_eq!(error.to_string(), text);
        drop(output);
    });
}

#[cfg(target_os = "linux")]
mod linux {
    use step09_epoll_reactor::{
        Selector, Trigger, v1_by_hand, v2_epoll::Epoll, v3_polling::Polling,
    };

    use super::*;
    use counted::Counted;

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
                let (input, _) = pipe().unwrap(); // the output is closed at once
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
                let (input, output) = pipe().unwrap();
                let mut stdin = Stdin::watch(input).unwrap();
                assert!(timeout(SHORT, stdin.read_line()).await.is_err());
                File::from(output).write_all(b"39\n").unwrap();
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
            let (input, _) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::NONBLOCK).unwrap();
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
            let (input, output) = pipe().unwrap();
            let mut output = File::from(output);
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
}

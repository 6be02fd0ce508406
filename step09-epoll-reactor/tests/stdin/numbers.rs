//! What a line is taken for, and what is said of a line or an input that is wrong.

use std::{
    io::{self, Read, Write},
    task::Context,
    thread,
};

use futures::FutureExt;
use probe::{
    hostile::{Hostile, Moment},
    within,
};
use step09_epoll_reactor::{
    block_on,
    stdin::{LIMIT, Stdin, StdinFuture},
};

use super::{TOO_LONG, next, pipe};

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
fn a_waker_that_panics_does_not_end_the_input() {
    within(TOO_LONG, || {
        let (input, mut output) = pipe();
        let mut stdin = Stdin::on_thread(input).unwrap();
        let hostile = Hostile::new();
        hostile.arm(Moment::Wake, || panic!("a waker"));
        let read =
            Box::pin(stdin.read_line()).poll_unpin(&mut Context::from_waker(&hostile.waker()));
        assert!(read.is_pending());
        output
            .write_all(
                b"1
",
            )
            .unwrap();
        while !hostile.acted() {
            thread::yield_now();
        }
        let _ = output.write_all(
            b"2
",
        ); // an error: nothing reads it any more
        for line in ["1", "2"] {
            assert_eq!(block_on(next(&mut stdin)).as_deref(), Some(line));
        }
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

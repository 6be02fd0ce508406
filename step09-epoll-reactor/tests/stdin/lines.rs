//! Lines of an input that is watched, and of one that a thread reads.

use std::{io::Write, pin::pin, task::Context};

use futures::future::{self, Either};
use probe::CountingWaker;
use step09_epoll_reactor::{
    sleep,
    stdin::{LIMIT, Lines, StdinFuture},
    timeout,
};

use super::{SHORT, five_ticks, next, on_both};

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

/// What the lines of an input are, told by its whole text.
fn expected(input: &[u8]) -> Vec<Result<String, u64>> {
    let mut lines: Vec<_> = input.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    let line = |(number, line): (u64, &[u8])| match line.len() {
        ..=LIMIT => Ok(String::from_utf8(line.to_vec()).unwrap()),
        _ => Err(number),
    };
    (1..).zip(lines).map(line).collect()
}

#[test]
fn however_an_input_is_cut_its_lines_are_the_same() {
    let lengths = [0, 1, LIMIT - 1, LIMIT, LIMIT + 1, 3 * LIMIT];
    for (first, second) in lengths.into_iter().flat_map(|a| lengths.map(|b| (a, b))) {
        for end in ["", "\n"] {
            let input = "7".repeat(first) + "\n" + &"8".repeat(second) + end;
            let wanted = expected(input.as_bytes());
            for size in [997, LIMIT, LIMIT + 1, usize::MAX] {
                let (mut lines, mut read) = (Lines::default(), Vec::new());
                let mut next = |lines: &mut Lines| {
                    while let Some(line) = lines.next_line() {
                        read.push(line.map_err(|error| error.line()));
                    }
                };
                for part in input.as_bytes().chunks(size) {
                    lines.push(part);
                    next(&mut lines);
                }
                lines.end();
                next(&mut lines);
                assert!(read == wanted, "{first} {second} {end:?} {size}");
            }
        }
    }
}

use super::*;
use futures::channel::mpsc::{UnboundedSender, unbounded};
use probe::{CountingWaker, watch, within};
use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};
use step05_parker_block_on::block_on;
use step06_reactor::{Reactor, timeout};

const LIMIT: Duration = Duration::from_secs(2);

fn input() -> (UnboundedSender<u8>, Lines) {
    let (sender, bytes) = unbounded();
    (sender, Lines::new(bytes))
}

fn send(sender: &UnboundedSender<u8>, text: &str) {
    for byte in text.bytes() {
        sender.unbounded_send(byte).unwrap();
    }
}

fn next(lines: &mut Lines) -> Option<String> {
    let line = within(LIMIT, || block_on(watch("a line", lines.next())));
    line.map(|line| String::from_utf8(line).unwrap())
}

/// Polls `next` once, and drops it.
fn cancelled(lines: &mut Lines) {
    let mut cx = Context::from_waker(Waker::noop());
    let polled = within(LIMIT, || pin!(watch("a line", lines.next())).poll(&mut cx));
    assert_eq!(polled, Poll::Pending, "there is no whole line yet");
}

#[test]
fn a_time_out_in_the_middle_of_a_line_loses_nothing() {
    let (sender, mut lines) = input();
    let reactor = Reactor::new();
    send(&sender, "hel");
    let limit = Duration::from_millis(20);
    let first = within(LIMIT, || {
        block_on(watch("a timeout", timeout(&reactor, limit, lines.next())))
    });
    assert_eq!(first, Ok(None), "half a line has arrived, and no newline");
    send(&sender, "lo\n");
    let line = next(&mut lines).unwrap();
    assert!(
        line == "hello",
        "5 bytes and a newline were sent, and the line that arrived is {line:?}. Where was the rest when the \
         timeout dropped the future of `next`?"
    );
}

#[test]
fn cancelled_after_every_byte_it_loses_nothing() {
    let ((sender, mut lines), (other_sender, mut others)) = (input(), input());
    for byte in ["h", "e", "l", "l", "o"] {
        send(&sender, byte);
        cancelled(&mut lines);
        send(&other_sender, "-");
        cancelled(&mut others);
    }
    send(&sender, "\n");
    let line = next(&mut lines).unwrap();
    assert!(
        line == "hello",
        "`next` was cancelled after each of 5 bytes, and the line that arrived is {line:?}. The dashes were sent to another \
         `Lines`, which was read in turn. Where does each keep its own?"
    );
}

#[test]
fn a_line_begins_where_the_last_one_ended() {
    let (sender, mut lines) = input();
    send(&sender, "één\r\ntwo\n");
    assert_eq!(
        next(&mut lines).as_deref(),
        Some("één\r"),
        "a line is the bytes before its newline, all of them and as they came"
    );
    let line = next(&mut lines).unwrap();
    assert!(
        line == "two",
        "the second line is \"two\", and {line:?} arrived. What is left of the first line when it is returned?"
    );
}

#[test]
fn an_empty_line_is_a_line() {
    let (sender, mut lines) = input();
    send(&sender, "one\n\ntwo\n");
    drop(sender);
    let seen = [(); 4].map(|()| next(&mut lines));
    let seen: Vec<_> = seen.iter().map(Option::as_deref).collect();
    assert!(
        seen == [Some("one"), Some(""), Some("two"), None],
        "The input was \"one\", an empty line and \"two\", and four calls of `next` returned {seen:?}. Only the end of the \
         input is `None`."
    );
}

#[test]
fn between_two_bytes_it_sleeps() {
    let (sender, mut lines) = input();
    let task = CountingWaker::new();
    let waker = task.waker();
    let mut cx = Context::from_waker(&waker);
    let mut next = pin!(lines.next());
    for (byte, wakes) in [("h", 0), ("i", 1)] {
        send(&sender, byte);
        assert_eq!(next.as_mut().poll(&mut cx), Poll::Pending, "no newline yet");
        assert!(
            task.wakes() == wakes,
            "`next` returned Pending, and its task was woken although no byte had arrived since. Which code knows when the \
             next byte is there?"
        );
    }
}

#[test]
fn what_is_left_at_the_end_arrives_once() {
    let (sender, mut lines) = input();
    send(&sender, "tail");
    cancelled(&mut lines);
    drop(sender);
    assert_eq!(
        next(&mut lines).as_deref(),
        Some("tail"),
        "the input ended without a newline, and its last bytes count"
    );
    let line = next(&mut lines);
    assert!(
        line.is_none(),
        "The input has ended and \"tail\" was returned, so the next answer is `None`. It was {line:?}. What is left of a \
         line when it is returned?"
    );
}

#[test]
fn a_line_may_be_long() {
    let (sender, mut lines) = input();
    let long = "x".repeat(1_000);
    for part in [&long[..300], &long[300..]] {
        cancelled(&mut lines);
        send(&sender, part);
    }
    send(&sender, "\nnext\n");
    let (line, next_one) = (next(&mut lines).unwrap(), next(&mut lines));
    assert!(
        line == long && next_one.as_deref() == Some("next"),
        "A line of 1000 bytes was sent, and a short one. The first that arrived has {} bytes, and the second is {next_one:?}.",
        line.len()
    );
}

//! How many bytes of a line are left after a timeout in its middle.

use std::{future::Future, time::Duration};

use futures::{
    channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded},
    executor::block_on,
};
use probe::within;
use step06_reactor::{Reactor, read_line, read_line_into, timeout};

const LIMIT: Duration = Duration::from_secs(10);

fn input(text: &str) -> (UnboundedSender<u8>, UnboundedReceiver<u8>) {
    let (sender, bytes) = unbounded();
    send(&sender, text);
    (sender, bytes)
}

fn send(sender: &UnboundedSender<u8>, text: &str) {
    text.bytes()
        .for_each(|byte| sender.unbounded_send(byte).unwrap());
}

/// Whether `future` is ready within 10 ms. If not, it is dropped.
fn in_time<F: Future>(future: F) -> Option<F::Output> {
    let reactor = Reactor::new();
    within(LIMIT, || {
        block_on(timeout(&reactor, Duration::from_millis(10), future)).unwrap()
    })
}

#[test]
fn a_timeout_in_a_line_loses_what_read_line_had_read() {
    let (sender, mut bytes) = input("hel");
    assert_eq!(in_time(read_line(&mut bytes)), None);
    send(&sender, "lo\n");
    assert_eq!(in_time(read_line(&mut bytes)), Some(b"lo\n".to_vec()));
}

#[test]
fn a_timeout_in_a_line_loses_nothing_that_the_caller_owns() {
    let (sender, mut bytes) = input("hel");
    let mut line = Vec::new();
    assert_eq!(in_time(read_line_into(&mut bytes, &mut line)), None);
    assert_eq!(line, b"hel");
    send(&sender, "lo\n");
    assert_eq!(in_time(read_line_into(&mut bytes, &mut line)), Some(true));
    assert_eq!(line, b"hello\n");
}

#[test]
fn a_line_that_is_not_cleared_gets_the_next_one_appended() {
    let (_sender, mut bytes) = input("one\ntwo\n");
    let mut lines = Vec::new();
    for read in ["one\n", "one\ntwo\n"] {
        assert_eq!(in_time(read_line_into(&mut bytes, &mut lines)), Some(true));
        assert_eq!(lines, read.as_bytes());
    }
}

#[test]
fn the_end_of_the_input_is_told_from_the_end_of_a_line() {
    let (sender, mut bytes) = input("one\n\ntwo");
    drop(sender);
    let expected = [("one\n", true), ("\n", true), ("two", false), ("", false)];
    for (text, whole) in expected {
        let mut line = Vec::new();
        assert_eq!(in_time(read_line_into(&mut bytes, &mut line)), Some(whole));
        assert_eq!(line, text.as_bytes());
    }
}

#[test]
fn a_line_ends_at_its_newline_or_at_the_end_of_the_input() {
    let (sender, mut bytes) = input("one\n\ntwo");
    drop(sender);
    for line in ["one\n", "\n", "two", ""] {
        assert_eq!(block_on(read_line(&mut bytes)), line.as_bytes());
    }
}

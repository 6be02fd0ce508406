//! s06g · repair · 12 minutes · chapter 06, "One thread for all timers"
//!
//! `Lines` reads lines from a channel of bytes. A caller that gives each line a time limit loses half a line now and
//! then, and no error says so: what `next` has read goes away when a time-out cancels it.
//!
//! Make `next` cancel safe. Whatever it has taken out of the channel must be there for the next call.
//!
//! Run: `cargo test --bin s06g_half_a_line`, or save this file while `rustlings` runs.
//! Red: a test says how many bytes were sent and which line arrived.

use futures::channel::mpsc::UnboundedReceiver;

/// The lines of an input.
struct Lines {
    bytes: UnboundedReceiver<u8>,
    /// What has arrived of the next line. Here and not in the future, because a future may be cancelled.
    line: Vec<u8>,
}

impl Lines {
    fn new(bytes: UnboundedReceiver<u8>) -> Lines {
        Lines {
            bytes,
            line: Vec::new(),
        }
    }

    /// The next line, without its newline. At the end of the input, what is left; and `None` if nothing is.
    async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            match self.bytes.recv().await {
                Ok(b'\n') => return Some(std::mem::take(&mut self.line)),
                Ok(byte) => self.line.push(byte),
                Err(_) if self.line.is_empty() => return None,
                Err(_) => return Some(std::mem::take(&mut self.line)),
            }
        }
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::channel::mpsc::{UnboundedSender, unbounded};
    use probe::{watch, within};
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
        let polled = pin!(lines.next()).poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!(polled, Poll::Pending, "there is no whole line yet");
    }

    #[test]
    fn a_time_out_in_the_middle_of_a_line_loses_nothing() {
        let (sender, mut lines) = input();
        let reactor = Reactor::new();
        send(&sender, "hel");
        let limit = Duration::from_millis(20);
        let first = within(LIMIT, || {
            block_on(watch("a time-out", timeout(&reactor, limit, lines.next())))
        });
        assert_eq!(first, Ok(None), "half a line has arrived, and no newline");
        send(&sender, "lo\n");
        let line = next(&mut lines).unwrap();
        assert!(
            line == "hello",
            "5 bytes and a newline were sent, and the line that arrived is {line:?}. Where was the rest when the \
             time-out dropped the future of `next`?"
        );
    }

    #[test]
    fn cancelled_after_every_byte_it_loses_nothing() {
        let (sender, mut lines) = input();
        for byte in ["h", "e", "l", "l", "o"] {
            send(&sender, byte);
            cancelled(&mut lines);
        }
        send(&sender, "\n");
        let line = next(&mut lines).unwrap();
        assert!(
            line == "hello",
            "`next` was cancelled after each of 5 bytes, and the line that arrived is {line:?}."
        );
    }

    #[test]
    fn a_line_begins_where_the_last_one_ended() {
        let (sender, mut lines) = input();
        send(&sender, "one\ntwo\n");
        assert_eq!(next(&mut lines).as_deref(), Some("one"));
        let line = next(&mut lines).unwrap();
        assert!(
            line == "two",
            "the second line is \"two\", and {line:?} arrived. What is left of the first line when it is returned?"
        );
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
}

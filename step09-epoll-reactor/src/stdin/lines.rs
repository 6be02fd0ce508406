//! Cuts the bytes of an input into numbered lines.

use std::{collections::VecDeque, io, mem};

use super::{LineError, line_error::Reason};

/// The greatest length of a line, in bytes, its `\n` not counted.
pub const LIMIT: usize = 65_536;

/// The bytes that have been read, and have not been given out as a line.
///
/// However long the lines of the input are, it keeps no more than the bytes of one read and the beginning of one line.
///
/// ```
/// use step09_epoll_reactor::stdin::Lines;
///
/// let mut lines = Lines::default();
/// lines.push(b"39\n4");
/// assert_eq!(lines.next_line().unwrap().unwrap(), "39");
/// assert!(lines.next_line().is_none()); // the rest of the line has not come yet
/// lines.end();
/// assert_eq!(lines.next_line().unwrap().unwrap(), "4");
/// assert!(lines.next_line().is_none());
/// ```
// ANCHOR: struct
#[derive(Debug, Default)]
pub struct Lines {
    /// What has been read and not been looked at.
    rest: VecDeque<u8>,
    /// The beginning of a line that is not complete yet.
    line: Vec<u8>,
    /// The line is longer than the limit, so what comes of it is dropped.
    too_long: bool,
    /// The input has ended, so what there is of a line is all of it.
    ended: bool,
    /// How many lines have been given out.
    number: u64,
}
// ANCHOR_END: struct

impl Lines {
    /// Adds what has been read.
    pub fn push(&mut self, bytes: &[u8]) {
        self.rest.extend(bytes);
    }

    /// Notes that the input has ended.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Whether the input has ended.
    pub fn is_ended(&self) -> bool {
        self.ended
    }

    /// Takes out a line, without its newline, if there is a complete one. The last line need not have a newline.
    ///
    /// # Errors
    ///
    /// If the line is longer than [`LIMIT`], or not UTF-8. The next call takes the next line.
    // ANCHOR: next_line
    pub fn next_line(&mut self) -> Option<Result<String, LineError>> {
        let newline = self.rest.iter().position(|byte| *byte == b'\n');
        let end = newline.unwrap_or(self.rest.len());
        self.too_long |= self.line.len() + end > LIMIT;
        let part = self.rest.drain(..end + usize::from(newline.is_some()));
        if self.too_long {
            drop(part);
        } else {
            self.line.extend(part.take(end));
        }
        let is_last = self.ended && (self.too_long || !self.line.is_empty());
        if newline.is_none() && !is_last {
            return None;
        }
        self.number += 1;
        let mut line = mem::take(&mut self.line);
        if mem::take(&mut self.too_long) {
            return Some(Err(self.error(Reason::TooLong)));
        }
        if line.ends_with(b"\r") {
            line.pop();
        }
        let text = String::from_utf8(line);
        Some(text.map_err(|_| self.error(Reason::NotUtf8)))
    }
    // ANCHOR_END: next_line

    /// The next line cannot be read.
    pub(super) fn io_error(&self, error: io::Error) -> LineError {
        LineError {
            line: self.number + 1,
            reason: Reason::Io(error),
        }
    }

    /// An error of the latest line.
    pub(super) fn error(&self, reason: Reason) -> LineError {
        LineError {
            line: self.number,
            reason,
        }
    }
}

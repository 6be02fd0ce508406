//! What is wrong with a line of the input.

use std::{error::Error, fmt, io};

use super::LIMIT;

/// Which line is wrong, and why.
#[derive(Debug)]
pub struct LineError {
    /// Counted from 1.
    pub(super) line: u64,
    pub(super) reason: Reason,
}

#[derive(Debug)]
pub(super) enum Reason {
    Io(io::Error),
    TooLong,
    NotUtf8,
    NotANumber(String),
    TooLarge(String),
    SumTooLarge(String),
}

impl LineError {
    /// The number of the line, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Whether the input itself failed, so that no further line can be read.
    pub fn is_fatal(&self) -> bool {
        matches!(self.reason, Reason::Io(_))
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.reason {
            Reason::Io(error) => write!(f, "it cannot be read: {error}"),
            Reason::TooLong => write!(f, "it is longer than {LIMIT} bytes"),
            Reason::NotUtf8 => f.write_str("it is not UTF-8"),
            Reason::NotANumber(text) if text.is_empty() => f.write_str("it is empty, not a number"),
            Reason::NotANumber(text) => write!(f, "{} is not a whole number", quoted(text)),
            Reason::TooLarge(text) => write!(f, "{} does not fit into 64 bits", quoted(text)),
            Reason::SumTooLarge(text) => {
                write!(f, "{} and 10 do not fit into 64 bits", quoted(text))
            }
        }
    }
}

impl Error for LineError {}

/// The text in quotation marks, on one line, and not too long.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    let shown: String = text.chars().take(SHOWN).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown:?}{more}")
}

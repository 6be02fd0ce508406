//! What a check says.

use std::fmt;

/// One thing that is wrong: where, what, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    /// The file, from the root of the project.
    pub file: String,
    /// The line in it, counted from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub says: String,
}

impl Complaint {
    pub(crate) fn new(file: &str, line: usize, says: impl Into<String>) -> Complaint {
        let (file, says) = (file.to_owned(), says.into());
        Complaint { file, line, says }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.says)
    }
}

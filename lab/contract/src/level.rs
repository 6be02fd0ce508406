//! How much weight a clause has: who demands it.

use std::fmt;

/// Who demands a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Level {
    /// The documentation of the standard library, in these words.
    Std(Says),
    /// Other crates, which rely on it although it is written down nowhere: without it, common futures or programs hang.
    Ecosystem,
    /// Good sense: without it everything works, but worse.
    Quality,
}

/// What the documentation of the standard library says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Says {
    /// Its words.
    pub words: &'static str,
    /// Of what, as a path in std.
    pub of: &'static str,
    /// The address, below `https://doc.rust-lang.org/std/`.
    pub at: &'static str,
}

/// The levels by their weight alone, the heaviest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is as in `Level`")]
pub enum Weight {
    Std,
    Ecosystem,
    Quality,
}

impl Level {
    pub(crate) fn weight(self) -> Weight {
        match self {
            Level::Std(_) => Weight::Std,
            Level::Ecosystem => Weight::Ecosystem,
            Level::Quality => Weight::Quality,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Std(sentence) => {
                write!(f, "std demands: \"{}\" ({})", sentence.words, sentence.of)
            }
            Level::Ecosystem => f.write_str("the ecosystem expects"),
            Level::Quality => f.write_str("quality"),
        }
    }
}

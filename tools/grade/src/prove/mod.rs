//! The set of exercises, proved: its files fit together, and every claim of its catalogue is seen in a run.

mod pages;
mod runs;
mod screen;
mod shape;
mod style;
mod variant;

use std::fmt;

pub use pages::{Page, not_written, pages, stale, written_without_a_run};
pub use runs::{Proof, prove};
pub use shape::{of_exercise, of_set};
pub use style::style;

/// Something that is not as it should be: what, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    at: String,
    what: String,
    mend: String,
}

impl Finding {
    fn new(at: impl Into<String>, what: impl Into<String>, mend: impl Into<String>) -> Finding {
        Finding {
            at: at.into(),
            what: what.into(),
            mend: mend.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { at, what, mend } = self;
        write!(f, "{at}: {what}: {mend}")
    }
}

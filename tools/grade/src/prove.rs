//! The set of exercises, proved: its files fit together, and every claim of its catalogue is seen in a run.

mod pages;
mod runs;
mod screen;
mod shape;
mod style;
mod variant;

pub use pages::{check_pages, write_pages};
pub use runs::{Proof, runs};
pub use shape::{of_exercise, of_set};
pub use style::style;

/// A line about something that is not as it should be: where, what, and what to do.
fn finding(at: &str, what: impl AsRef<str>, fix: &str) -> String {
    format!("{at}: {}: {fix}", what.as_ref())
}

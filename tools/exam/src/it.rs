//! The programs of the exam, one file for each question. The page shows what is between two anchors, and the test below it is the answer.

use std::time::Duration;

mod change;
mod count;
mod fault;

/// Runs a program that would hang if its stage had a mistake.
fn within<T>(program: impl FnOnce() -> T) -> T {
    probe::within(Duration::from_secs(10), program)
}

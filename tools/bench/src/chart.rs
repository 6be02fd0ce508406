//! The chart for the book.

use crate::rounds::{Plan, Results};

pub(crate) fn html(_plan: &Plan, _results: &Results) -> String {
    String::new()
}

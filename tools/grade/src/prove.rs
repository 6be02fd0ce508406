//! The set of exercises, proved: its files fit together, and every claim of its catalogue is seen in a run.

mod finding;
mod pages;
mod proof;
mod screen;
mod shape;
mod style;
mod variant;

pub use pages::{check_pages, write_pages};
pub use proof::Proof;
pub use shape::{of_exercise, of_set};
pub use style::style;

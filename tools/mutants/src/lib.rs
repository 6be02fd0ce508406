//! # The mutants: is every known mistake caught?
//!
//! A test that has never been seen to fail proves little. `defects.toml` lists the 49 defects that were seen in the
//! five documents, and for each that a stage could have, a *mutant*: the change of source that would bring the
//! defect back, and the test that must then fail. `cargo run -p mutants` makes each change in a copy of the project
//! and runs that test, first without the change and then with it.
//!
//! `DEFECTS.md` beside this crate is the table for reading: `cargo run -p mutants -- --list` prints it.
//!
//! Read in this order: [`Defect`], the table; [`Tree`], the copy; [`Verdict`], what became of a mutant.

mod table;
mod tree;
mod verdict;

pub use table::{Defect, Folder, Mutant, Test, defects, markdown};
pub use tree::Tree;
pub use verdict::{Verdict, judge, time_unchanged};

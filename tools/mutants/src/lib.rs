//! # The mutants: is every known mistake caught?
//!
//! A test that has never been seen to fail proves little. `defects.toml` lists the 49 defects that were seen in the
//! five documents, and for each that a stage could have, a *mutant*: the change of source that would bring the
//! defect back, and the test that must then fail. `cargo run -p mutants` makes each change in a copy of the project
//! and runs that test, first without the change and then with it.
//!
//! You need this when you write a test: to see that the test can fail, add the mistake to the table and run
//! `cargo run -p mutants -- L401`. `DEFECTS.md` beside this crate is the table for reading; `--write` writes it again.
//!
//! Read in this order: [`Defect`], the table; [`Tree`], the copy; [`Fate`], what became of a mutant; [`Since`], which
//! of them a change of the project concerns.

mod fate;
mod since;
mod table;
mod tree;

pub use fate::{Fate, fate, time_unchanged};
pub use since::Since;
pub use table::{Defect, Folder, Mutant, Test, defects, page};
pub use tree::Tree;

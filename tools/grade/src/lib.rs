//! # Grading, and proving what is graded
//!
//! For teachers, and for authors of exercises; the `README.md` beside this crate says what they get. Read in this order: `set.rs`, what
//! there is, and `class.rs`, who has handed in what; `open.rs`, `judge.rs` and `package.rs`, how an answer and the checks are two crates;
//! `run.rs`, `grading.rs`, `decisions.rs`, `report.rs` and `feedback.rs`, from learners' files to tables and to what a learner gets; then
//! `wrong.rs`, what learners write, and `prove.rs`. `project.rs` is the term project, which the ladder of `exercises/yours` judges, and
//! `alike.rs` finds copies. `handout.rs` is what learners get, and `earlier.rs` what they got before.

use std::process::ExitCode;

use clap::Parser;

pub mod alike;
pub mod class;
mod command;
pub mod decisions;
pub mod earlier;
mod feedback;
pub mod grading;
pub mod handout;
mod judge;
mod open;
mod package;
pub mod project;
pub mod prove;
mod reason;
pub mod report;
mod run;
mod set;
mod wrong;

pub use package::Package;
pub use set::Set;

/// Why a program gives no result, in one line.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Reads the arguments, and runs a program with them. Without a result, its status is 2.
pub fn main<Options: Parser>(program: fn(Options) -> Result<ExitCode, Error>) -> ExitCode {
    program(Options::parse()).unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::from(2)
    })
}

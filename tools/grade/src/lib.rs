//! # Grading, and proving what is graded
//!
//! For teachers, and for authors of exercises; the `README.md` beside this crate says what they get.
//!
//! | to learn | read |
//! |---|---|
//! | what there is, and who has handed in what | [`Set`], [`class`] |
//! | how an answer and the course's checks are built and run | `checks/` |
//! | how that becomes a table, and a file for each learner | [`grading`], [`decisions`], [`report`], `feedback.rs` |
//! | what learners write that is wrong, and whether it is told so | `wrong.rs`, [`prove`] |
//! | the term project, which the ladder of `exercises/yours` judges | [`project`] |
//! | which answers are copies | [`alike`] |
//! | what learners get, and what they got earlier | [`handout`] |

use std::process::ExitCode;

use clap::Parser;

pub mod alike;
mod checks;
pub mod class;
mod command;
pub mod decisions;
mod feedback;
pub mod grading;
pub mod handout;
pub mod project;
pub mod prove;
pub mod report;
mod set;
mod table;
mod wrong;

pub use checks::{Mark, Package};
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

//! # Grading, and proving what is graded
//!
//! Two programs about `exercises/`. `cargo run -p grade -- FOLDER` grades a learner's copy of it.
//! `cargo run -p grade --bin prove` proves the set itself: that no exercise is solved from the start, that each can be
//! solved, and that each typical wrong answer is told what the teacher's page says.
//!
//! Both build all programs in one scratch package, since cargo then builds what they share once, and keeps on building
//! when one of them does not compile.
//!
//! Read in this order: [`Set`] and [`Exercise`], what there is; [`split`], where the tests of a file begin; [`scratch`],
//! the package, and `compile.rs`; `compiler.rs` and `one_test.rs`, what stands between cargo and a learner's program, and
//! between nextest and a learner's test; [`grading`] and [`report`]; then [`prove`].

mod catalogue;
mod child;
mod compile;
pub mod compiler;
mod entry;
pub mod grading;
mod manifest;
mod nextest;
pub mod one_test;
mod options;
pub mod prove;
mod reason;
pub mod report;
pub mod scratch;
mod set;
pub mod split;
mod table;
mod trouble;

pub use catalogue::{Exercise, Kind, Listed, Wrong};
pub use options::options;
pub use set::Set;
pub use trouble::Trouble;

use std::path::PathBuf;

/// The set of the course that this program was built in.
pub fn own_set() -> PathBuf {
    let mut course = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    course.pop();
    course.pop();
    course.join("exercises")
}

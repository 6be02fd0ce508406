//! # Grading, and proving what is graded
//!
//! For teachers, and for authors of exercises. `cargo run -p grade -- FOLDER` grades a learner's copy of
//! `exercises/`. `cargo run -p grade --bin prove` proves the set itself: that no exercise is solved from the start, that
//! each can be solved, and that each typical wrong answer is told what the teacher's page says.
//!
//! Both build all programs in one scratch package, since cargo then builds what they share once, and keeps on building
//! when one of them does not compile.
//!
//! Read in this order: [`Set`] and [`Exercise`], what there is; [`Wrong`], what learners write; [`package`], how programs
//! are built; [`run`], [`grading`] and [`report`], from learners' files to a table; then [`prove`].

mod error;
pub mod grading;
pub mod package;
pub mod prove;
mod reason;
pub mod report;
pub mod run;
mod set;
mod wrong;

pub use error::{Error, main};
pub use set::{Exercise, Set, own_set};
pub use wrong::Wrong;

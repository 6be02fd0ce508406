//! # The contract of a runtime
//!
//! This library tests executors and leaf futures: yours, the stages' and those of other people. What must an executor keep,
//! and what must a leaf future, so that the two work together although neither knows the other? Here are the clauses. Each
//! is a function that runs on anything, and each comes with the faults that it has been seen to catch.
//!
//! ```
//! use runtime_contract::{Preset, Subject, clause};
//! use futures::executor::block_on;
//!
//! const FUTURES: Preset = Preset::block_on(block_on);
//!
//! let subject = Subject::runtime("futures", &FUTURES);
//! assert_eq!(clause("woken_asleep").unwrap().test(&subject), Ok(()));
//! ```
//!
//! A stage's own tests say which clauses it keeps: see [`suite`]. `cargo run -p matrix` tests every stage of this course and
//! the runtimes that you know, and prints who keeps what.
//!
//! To read on: [`Runtime`] and [`Leaf`] are what is tested. [`clauses`] and [`leaf_clauses`] are the tests, and [`faulty`] is
//! what they must catch. [`cell`] runs one test in a process of its own, because it may hang, and [`suite`] makes the tests of
//! a stage of that.

mod allocations;
pub mod cell;
mod child;
mod clause;
pub mod clauses;
mod counted;
pub mod faulty;
mod fixtures;
#[doc(hidden)]
pub mod harness; // for the tests of the clauses
mod hostile_waker;
mod index;
mod leaf;
pub mod leaf_clauses;
mod level;
mod lock;
mod preset;
mod report;
mod runtime;
pub mod suite;
mod time_limit;
mod usage;
mod wake_counter;

pub use clause::{Check, Clause, FaultySubject, MODELS, ModelRule, Side, Subject};
pub use index::{all, clause};
pub use leaf::{End, Leaf, Trigger, leaf};
pub use level::{Level, Says};
pub use preset::Preset;
pub use report::Cell;
pub use runtime::{
    Answer, BoxFuture, Job, Make, NotItsJob, Runtime, Spawn, cannot_spawn, caught, message,
};
#[doc(hidden)]
pub use stats_alloc; // for `count_allocations`

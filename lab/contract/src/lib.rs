#![doc = include_str!("../README.md")]
//!
//! To read on: [`Runtime`] and [`Leaf`] are what is tested. [`clauses`] and [`leaf_clauses`] are the tests, and each names the
//! [`Fault`]s that it must catch, which `tests/faulty` makes. [`cell`] runs one test in a process of its own, because it may
//! hang, and [`suite`] makes a test program of that.

mod allocations;
pub mod cell;
mod clause;
pub mod clauses;
mod fault;
mod fixtures;
#[doc(hidden)]
pub mod harness; // for the tests of the clauses
mod leaf;
pub mod leaf_clauses;
mod level;
mod local;
mod lock;
mod preset;
mod report;
mod rest;
mod runtime;
mod strays;
mod stress;
pub mod suite;
mod wake_counter;

#[doc(hidden)]
pub use allocations::CountsAllocations;
pub use clause::{Check, Clause, Side, Subject, all, clause};
pub use fault::{Fault, LeafFault};
pub use leaf::{End, Give, Leaf, Put, Reset, Trigger, leaf};
pub use level::{Level, Says, Weight};
pub use local::{Local, LocalBoxFuture, LocalTrigger};
pub use preset::Preset;
pub use report::{Cell, SOMETIMES};
pub use runtime::{
    Abort, Answer, BoxFuture, Job, LocalJob, Make, NotItsJob, Runtime, Spawn, SpawnAbortable,
    cannot_spawn, caught, message,
};

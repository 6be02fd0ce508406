#![doc = include_str!("../README.md")]
//!
//! To read on: [`Runtime`] and [`Leaf`] are what is tested. [`clauses`] and [`leaf_clauses`] are the tests, and each names the
//! [`Fault`]s that it must catch, which `tests/faulty` makes. [`cell`] runs one test in a process of its own, because it may
//! hang, and [`suite`] makes a test program of that.

mod allocations;
#[doc(hidden)]
pub mod apart; // for the checks of the course's ladder
pub mod cell;
mod clause;
pub mod clauses;
mod closures;
mod combinator;
mod edition;
mod fault;
mod fixtures;
mod gap;
#[doc(hidden)]
pub mod harness; // for the tests of the clauses
mod home;
mod jitter;
mod leaf;
pub mod leaf_clauses;
mod level;
mod list;
mod local;
mod lock;
mod panics;
mod preset;
mod promise;
mod report;
mod rest;
mod runtime;
mod stress;
pub mod suite;
mod wake_counter;

#[doc(hidden)]
pub use allocations::CountsAllocations;
pub use allocations::live as live_allocations;
pub use clause::{Check, Clause, Side, Subject};
pub use edition::Edition;
pub use fault::{Fault, LeafFault};
pub use home::LocalBoxFuture;
pub use leaf::{
    Acquire, Acquired, End, Ends, Give, Held, Leaf, Message, Put, ReadWrite, Receive, Receivers,
    Reset, Senders, Trigger, leaf,
};
pub use level::{Level, Says, Weight};
pub use list::{all, clause};
pub use local::Local;
pub use panics::{caught, discard, message};
pub use preset::Preset;
pub use report::{Cell, SOMETIMES};
pub use runtime::{
    Abort, Answer, BoxFuture, Job, LocalJob, Make, Runtime, Spawn, SpawnAbortable, Unsupported,
    cannot_spawn,
};

//! # The bench
//!
//! What an operation costs on a runtime. [`mod@workloads`] are the rows: functions that are generic over what [`mod@runtime`] asks.
//! [`runtimes`] are the columns, made by [`runtime!`]. [`measure`] is for one measurement, [`mod@rounds`] for all: each in a process of its
//! own, the runtimes in turns, over several rounds.
//!
//! The program of this package measures the runtimes of stages 08 to 10, tokio and smol. The race in `exercises/yours` measures a
//! learner's with the same workloads.

pub mod measure;
pub mod rounds;
pub mod runtime;
pub mod runtimes;
pub mod workloads;

#[doc(hidden)]
pub use {futures, hyper}; // for `runtime!`

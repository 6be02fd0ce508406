//! An executor and a leaf future, each with one fault of your choice: what the clauses must catch.
//!
//! Both are small, and right as [`Fault::None`] and [`LeafFault::None`]. Any other [`Fault`] changes about one line, and the
//! test of its clause must then fail, so there is no clause that nothing can break.

mod block_on;
mod driver;
mod executor;
mod fault;
mod flag;
mod leaf_fault;
mod runtime;
mod timer;
mod timers;

pub use fault::Fault;
pub use leaf_fault::LeafFault;

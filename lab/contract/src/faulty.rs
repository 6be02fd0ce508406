//! An executor and a leaf future, each with one fault of your choice: what the clauses must catch.
//!
//! Both are small, and right as [`Fault::None`] and [`LeafFault::None`]. Any other [`Fault`] changes about one line, and the
//! test of its clause must then fail, so there is no clause that nothing can break.

mod block_on;
mod driver;
mod executor;
mod fault;
mod leaf_fault;
mod output;
mod poll;
mod queue;
mod runtime;
mod shutdown;
mod task;
mod timer;
mod timers;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use fault::Fault;
pub use leaf_fault::LeafFault;

/// A mutant may panic anywhere. What it leaves behind is looked at all the same.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! An executor and a leaf future, each with one mistake of your choice: what the clauses must catch.
//!
//! The executor is small, and right as [`Defect::None`]. A [`Defect`] is one changed line, and the test of its clause must
//! then fail. So no clause is there that nothing can break.

mod block_on;
mod defect;
mod driver;
mod executor;
mod leaf_defect;
mod output;
mod poll;
mod queue;
mod runtime;
mod shutdown;
mod task;
mod timer;
mod timers;

pub use defect::Defect;
pub use leaf_defect::LeafDefect;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mutant may panic anywhere. What it leaves behind is looked at all the same.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

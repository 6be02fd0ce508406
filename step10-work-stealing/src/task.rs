//! A task in one allocation: its future and later its result, its state, and the waker of its handle.
//!
//! A task knows nothing of workers and queues. All that it asks of its runtime is in one trait, [`Schedule`], so this folder can be
//! read, tested and model-checked by itself.

mod cell;
mod header;
mod join_handle;
mod list;
mod reference;
mod run;
mod schedule;
mod slot;
pub(crate) mod state;

use std::{future::Future, sync::Arc};

use cell::Cell;
pub use join_handle::JoinHandle;
pub(crate) use list::List;
pub(crate) use reference::{Task, Why};
pub(crate) use schedule::Schedule;
pub(crate) use slot::Slot;

/// Makes a task that is to be polled, and a handle for it. The caller schedules the task.
pub(crate) fn spawn<F, S>(future: F, runtime: Arc<S>) -> (Task, JoinHandle<F::Output>)
where
    F: Future<Output: Send> + Send + 'static,
    S: Schedule,
{
    let [for_the_run_queue, for_the_handle] = Cell::allocate(future, runtime);
    (for_the_run_queue, JoinHandle::new(for_the_handle))
}

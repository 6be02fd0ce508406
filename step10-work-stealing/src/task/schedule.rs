//! What a task asks of its runtime.

use std::sync::Arc;

use super::list::List;
use super::reference::{Task, Why};

/// A runtime, as its tasks know it.
// ANCHOR: trait
pub(crate) trait Schedule: Send + Sync + 'static {
    /// Where the calling thread puts a task that is to be polled.
    type RunQueue;

    /// Finds the run queue for a task that the calling thread has spawned or woken.
    fn run_queue(self: &Arc<Self>) -> Self::RunQueue;

    /// Puts a task there, so that a worker polls it.
    fn schedule(run_queue: Self::RunQueue, task: Task, why: Why);

    /// The tasks that wait.
    fn waiting_tasks(&self) -> &List;
}
// ANCHOR_END: trait

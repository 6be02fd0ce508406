//! What a task asks of its runtime.

use std::sync::Arc;

use super::list::List;
use super::reference::{Task, Why};

/// A runtime, as its tasks know it.
// ANCHOR: trait
pub(crate) trait Schedule: Send + Sync + 'static {
    /// A queue into which the calling thread can put a task.
    type Queue;

    /// Finds the queue for a task that the calling thread has woken.
    fn queue(self: &Arc<Self>) -> Self::Queue;

    /// Puts a task into the queue.
    fn push(queue: Self::Queue, task: Task, why: Why);

    /// The tasks that wait.
    fn waiting_tasks(&self) -> &List;
}
// ANCHOR_END: trait

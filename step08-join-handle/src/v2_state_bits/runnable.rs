//! What the queue contains: the right to poll a task once.

use std::{fmt, sync::Arc};

/// A task that is to be polled once, whose output may have any type. It is what the queue contains, and a task has at most
/// one at a time. If it is dropped instead, the task is cancelled.
pub struct Runnable(Option<Arc<dyn Run>>);

/// What a task does when its turn has come.
pub(super) trait Run: Send + Sync {
    /// Polls the future once, or drops it if the task was aborted.
    fn run(self: Arc<Self>);

    /// Cancels the task, whose turn will not come.
    fn discard(&self);
}

impl Runnable {
    pub(super) fn new(task: Arc<dyn Run>) -> Runnable {
        Runnable(Some(task))
    }

    /// Polls the task once, or drops its future if the task was aborted. A worker calls this once each time that it takes
    /// the task from the queue.
    pub fn run(mut self) {
        if let Some(task) = self.0.take() {
            task.run();
        }
    }
}

impl Drop for Runnable {
    fn drop(&mut self) {
        if let Some(task) = self.0.take() {
            task.discard();
        }
    }
}

impl fmt::Debug for Runnable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Runnable")
    }
}

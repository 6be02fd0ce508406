//! The worker of s08d.

use std::{future::Future, sync::Arc};
use step08_join_handle::{JoinHandle, Queue, Runnable, spawn_on};

/// A queue with one worker, which works when `work` is called.
#[derive(Default)]
pub(crate) struct Worker {
    pub(crate) queue: Arc<Queue<Runnable>>,
}

impl Worker {
    /// Spawns a task, as a runtime does it.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (task, handle) = spawn_on(&self.queue, future);
        self.queue.push(task);
        handle
    }

    /// Runs tasks until the queue is empty. Returns how often it took one.
    pub(crate) fn work(&self) -> usize {
        let mut taken = 0;
        while let Some(task) = self.queue.try_pop() {
            taken += 1;
            task.run();
        }
        taken
    }
}

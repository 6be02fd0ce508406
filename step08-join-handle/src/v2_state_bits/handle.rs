//! Spawning: a task goes into the runtime's list, and then into the queue.

use std::{future::Future, sync::Arc};

use crate::{JoinHandle, Queue, list::List};

use super::{
    blocking::BlockingPool,
    task::{Runnable, spawn_on},
};

/// Spawns tasks on a [`Runtime`](crate::Runtime), from any thread.
// ANCHOR: struct
#[derive(Debug, Clone)]
pub struct Handle {
    shared: Arc<Shared>,
}

/// What the runtime, its handles and its workers share.
#[derive(Debug, Default)]
struct Shared {
    queue: Arc<Queue<Runnable>>,
    tasks: Arc<List<Runnable>>,
    blocking: BlockingPool,
}
// ANCHOR_END: struct

impl Handle {
    pub(super) fn new() -> Handle {
        Handle {
            shared: Arc::default(),
        }
    }

    /// Spawns a task. If the runtime has been shut down, the future is dropped, and the handle says that the task was
    /// cancelled.
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.spawn_to(&self.shared.queue, future)
    }

    /// Calls `f` on a thread that may block. There are at most 64 such threads, beside the workers. Each is started when
    /// it is needed, and ends with the runtime.
    ///
    /// Aborting the handle has an effect only while `f` has not been called.
    ///
    /// # Panics
    ///
    /// If no such thread is there, and the system cannot start one. The function stays in the queue then, and is called if
    /// a later call can start a thread.
    pub fn spawn_blocking<T: Send + 'static>(
        &self,
        f: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        let handle = self.spawn_to(self.shared.blocking.queue(), async { f() });
        self.shared.blocking.start_thread_if_needed(self);
        handle
    }

    // ANCHOR: spawn
    fn spawn_to<T: Send + 'static>(
        &self,
        queue: &Arc<Queue<Runnable>>,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let ((task, handle), listed) = self.shared.tasks.insert(future, |future| {
            let (task, handle) = spawn_on(queue, future);
            (task.clone(), (task, handle))
        });
        if listed {
            queue.push(task);
        } else {
            task.shut_down();
        }
        handle
    }
    // ANCHOR_END: spawn

    /// Polls tasks until the runtime is shut down.
    // ANCHOR: work
    pub(super) fn work(&self) {
        while let Some(task) = self.shared.queue.pop() {
            task.run();
        }
    }
    // ANCHOR_END: work

    /// Ends the workers, refuses all further tasks, and returns the tasks that are unfinished.
    // ANCHOR: close
    pub(super) fn close(&self) -> Vec<Runnable> {
        self.shared.queue.close();
        self.shared.blocking.close();
        self.shared.tasks.close(Runnable::clone)
    }
    // ANCHOR_END: close

    pub(super) fn join_blocking(&self) {
        self.shared.blocking.join();
    }
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use super::*;

    #[test]
    fn no_task_is_in_a_queue_once_a_spawn_is_refused() {
        probe::within(Duration::from_secs(10), || {
            let handle = Handle::new();
            let _queued = handle.spawn(async {});
            let not_refused = handle.shared.tasks.hold();
            thread::scope(|scope| {
                let end = scope.spawn(|| handle.close());
                // These end when the queues are closed, so that must come before the list is needed.
                while handle.shared.queue.pop().is_some() {}
                while handle.shared.blocking.queue().pop().is_some() {}
                drop(not_refused);
                end.join().unwrap().iter().for_each(Runnable::shut_down);
            });
        });
    }
}

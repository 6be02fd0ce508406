//! What the queue contains: the right to poll a task once.

use std::{fmt, future::Future, sync::Arc};

use crate::Queue;

use super::{join_handle::JoinHandle, task::Task};

/// A task that is to be polled once, whose output may have any type. It is what the queue contains, and a task has at most
/// one at a time. If it is dropped instead, the task is cancelled.
pub struct Runnable(Option<Arc<dyn Run>>);

pub(super) trait Run: Send + Sync {
    fn run(self: Arc<Self>);
    fn discard(&self);
}

impl Runnable {
    pub(super) fn new<T: Send + 'static>(task: &Arc<Task<T>>) -> Runnable {
        Runnable(Some(Arc::clone(task) as _))
    }

    /// Polls the task once, or drops its future if the task was aborted. A worker calls this once each time that it takes
    /// the task from the queue.
    pub fn run(mut self) {
        if let Some(task) = self.0.take() {
            task.run();
        }
    }
}

// ANCHOR: drop
impl Drop for Runnable {
    fn drop(&mut self) {
        if let Some(task) = self.0.take() {
            task.discard();
        }
    }
}
// ANCHOR_END: drop

/// Makes a task without a runtime, as the crate async-task does: a future, and the queue in which its wakers put it.
///
/// The task is not in the queue yet. The caller puts it there once, and from then on, its wakers do. A queue that holds a
/// task is referred to by that task, so close the queue when you no longer use it.
///
/// ```
/// use std::sync::Arc;
/// use step08_join_handle::{Queue, spawn_on};
///
/// let queue = Arc::new(Queue::new());
/// let (runnable, handle) = spawn_on(&queue, async { 6 * 7 });
/// queue.push(runnable);
/// queue.pop().unwrap().run();
/// assert_eq!(futures::executor::block_on(handle).unwrap(), 42);
/// ```
pub fn spawn_on<T: Send + 'static>(
    queue: &Arc<Queue<Runnable>>,
    future: impl Future<Output = T> + Send + 'static,
) -> (Runnable, JoinHandle<T>) {
    let task = Arc::new(Task::new(Arc::clone(queue), future));
    (Runnable::new(&task), JoinHandle(task))
}

impl fmt::Debug for Runnable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Runnable")
    }
}

//! Spawning: a task goes into the runtime's list, and then into the queue.

use std::{future::Future, sync::Arc, task::Waker};

use crate::task_list::RemoveOnDrop;

use super::{
    context,
    join_handle::{JoinHandle, spawn_on},
    shared::Shared,
};

/// Spawns tasks on a [`Runtime`](crate::Runtime), from any thread.
// ANCHOR: struct
#[derive(Debug, Clone)]
pub struct Handle(pub(super) Arc<Shared>);
// ANCHOR_END: struct

impl Handle {
    /// Spawns a task. If the runtime has been shut down, the future is dropped, and the handle says that the task was
    /// cancelled.
    // ANCHOR: spawn
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let Shared { queue, tasks, .. } = &*self.0;
        let mut list = tasks.lock();
        let entry = list.vacant_entry();
        let future = RemoveOnDrop::new(future, tasks, entry.key());
        let (task, handle) = spawn_on(queue, future);
        entry.insert(Waker::from(Arc::clone(&handle.0)));
        drop(list);
        queue.push(task);
        handle
    }
    // ANCHOR_END: spawn

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
        let shared = Arc::clone(&self.0);
        self.0.blocking.spawn(move || context::enter(shared), f)
    }

    /// The number of threads that run functions given to [`spawn_blocking`](Handle::spawn_blocking), or wait for one. 0 once
    /// a shutdown waits for them.
    pub fn blocking_threads(&self) -> usize {
        self.0.blocking.threads.lock().len()
    }
}

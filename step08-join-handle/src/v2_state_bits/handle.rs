//! Spawning: a task goes into the runtime's list, and then into the queue. Also, on which runtime is this thread?

use std::{cell::RefCell, future::Future, sync::Arc, task::Waker};

use crate::{
    Queue,
    task_list::{RemoveOnDrop, TaskList},
};

use super::{
    blocking::BlockingPool,
    join_handle::{JoinHandle, spawn_on},
    runnable::Runnable,
};

/// Spawns tasks on a [`Runtime`](crate::Runtime), from any thread.
// ANCHOR: struct
#[derive(Debug, Clone)]
pub struct Handle(pub(super) Arc<Shared>);

/// What the runtime, its handles and its workers share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) queue: Arc<Queue<Runnable>>,
    pub(super) tasks: Arc<TaskList>,
    pub(super) blocking: BlockingPool,
}
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
        let handle = self.clone();
        self.0.blocking.spawn(move || handle.enter(), f)
    }

    /// The number of threads that run functions given to [`spawn_blocking`](Handle::spawn_blocking), or wait for one. 0 once
    /// a shutdown waits for them.
    pub fn blocking_threads(&self) -> usize {
        self.0.blocking.threads.lock().len()
    }
}

// ANCHOR: current
thread_local! {
    /// The runtime on which this thread works.
    static CURRENT: RefCell<Option<Handle>> = const { RefCell::new(None) };
}

impl Handle {
    /// Returns the runtime on which the calling thread works, if there is one.
    pub(super) fn of_this_thread() -> Option<Handle> {
        // The variable of a thread that is ending may be gone.
        let handle = CURRENT.try_with(|current| current.borrow().clone());
        handle.ok().flatten()
    }

    /// Makes this the runtime of the calling thread, until the result is dropped.
    pub(super) fn enter(self) -> Entered {
        let before = CURRENT.try_with(|current| current.replace(Some(self)));
        // While a thread ends, it has no runtime.
        Entered(before.ok().flatten())
    }
}
// ANCHOR_END: current

/// Restores the runtime that the thread had before.
pub(super) struct Entered(Option<Handle>);

impl Drop for Entered {
    fn drop(&mut self) {
        let _ = CURRENT.try_with(|current| current.replace(self.0.take()));
    }
}

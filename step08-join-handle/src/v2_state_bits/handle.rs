//! Spawning: a task goes into the runtime's list, and then into the queue.

use std::{
    collections::BTreeMap,
    fmt,
    future::{Future, poll_fn},
    mem,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    task::Context,
};

use crate::{JoinHandle, Queue};

use super::{
    blocking::BlockingPool,
    task::{Runnable, spawn_on},
};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Spawns tasks on a [`Runtime`](crate::Runtime), from any thread.
// ANCHOR: struct
#[derive(Debug, Clone)]
pub struct Handle {
    shared: Arc<Shared>,
}

/// What the runtime, its handles and its workers share.
#[derive(Default)]
struct Shared {
    queue: Arc<Queue<Runnable>>,
    next_id: AtomicU64,
    tasks: Mutex<Tasks>,
    blocking: BlockingPool,
}

#[derive(Default)]
struct Tasks {
    /// The tasks whose futures have not been dropped.
    unfinished: BTreeMap<u64, Runnable>,
    /// Whether the runtime has been shut down. Then no task is accepted any more.
    closed: bool,
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
    /// If no such thread is there, and the system cannot start one.
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
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        let unlist = Unlist(Arc::clone(&self.shared), id);
        let mut future = Box::pin(future);
        // An `async` block would drop the future inside its poll, and a panic there would take the place of the output.
        let poll = move |cx: &mut Context<'_>| {
            let _owned = &unlist;
            future.as_mut().poll(cx)
        };
        let (task, handle) = spawn_on(queue, poll_fn(poll));
        if self.shared.list(id, &task) {
            queue.push(task);
        } else {
            task.shut_down();
        }
        handle
    }
    // ANCHOR_END: spawn

    /// Polls tasks until the runtime is shut down.
    pub(super) fn work(&self) {
        while let Some(task) = self.shared.queue.pop() {
            task.run();
        }
    }

    /// Refuses all further tasks, ends the workers, and returns the tasks that are unfinished.
    // ANCHOR: close
    pub(super) fn close(&self) -> impl Iterator<Item = Runnable> + use<> {
        let mut tasks = self.shared.tasks();
        tasks.closed = true;
        let unfinished = mem::take(&mut tasks.unfinished);
        drop(tasks);
        self.shared.queue.close();
        self.shared.blocking.close();
        unfinished.into_values()
    }
    // ANCHOR_END: close

    pub(super) fn join_blocking(&self) {
        self.shared.blocking.join();
    }
}

/// Takes a task out of the list when its future is dropped.
// ANCHOR: unlist
struct Unlist(Arc<Shared>, u64);

impl Drop for Unlist {
    fn drop(&mut self) {
        self.0.tasks().unfinished.remove(&self.1);
    }
}
// ANCHOR_END: unlist

impl Shared {
    /// Adds a task to the list. `false`: the runtime has been shut down.
    // ANCHOR: list
    fn list(&self, id: u64, task: &Runnable) -> bool {
        let mut tasks = self.tasks();
        if !tasks.closed {
            tasks.unfinished.insert(id, task.clone());
        }
        !tasks.closed
    }
    // ANCHOR_END: list

    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().expect(UNPOISONED)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unfinished = self.tasks().unfinished.len();
        write!(f, "{unfinished} unfinished tasks")
    }
}

//! The injector: the queue for tasks that come from outside, one for all workers, under a lock. It is also called the global queue.

use std::{collections::VecDeque, mem};

use crate::metrics::Count;
use crate::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use crate::sync::{Mutex, lock};
use crate::task::Task;

/// The most tasks that a worker puts into its local queue at once, beside the one that it polls.
const MOST_AT_ONCE: usize = 128;

/// Tasks that no worker has taken yet, first in, first out.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Injector {
    inner: Mutex<Inner>,
    /// The number of tasks, so that no lock is needed to see that there is none.
    len: AtomicUsize,
    /// How often the lock was taken to add tasks or to take some. Changed under the lock alone.
    pub(crate) locks: Count,
}

#[derive(Default)]
struct Inner {
    tasks: VecDeque<Task>,
    /// The runtime has ended, so no worker takes a task any more.
    closed: bool,
}

impl Injector {
    /// Adds a task at the back, unless the injector is closed. Then the reference is dropped.
    pub(crate) fn push(&self, task: Task) {
        let mut inner = lock(&self.inner);
        if inner.closed {
            return; // drops the guard, then `task`
        }
        inner.tasks.push_back(task);
        self.changed(&inner);
    }

    /// Takes the task at the front.
    pub(crate) fn pop(&self) -> Option<Task> {
        if self.is_empty() {
            return None;
        }
        let mut inner = lock(&self.inner);
        let first = inner.tasks.pop_front()?;
        self.changed(&inner);
        Some(first)
    }

    /// Takes the share of one of the `workers` from the front. Returns the first task, and puts the rest into `batch`,
    /// which has room for them, so that no memory is allocated under the lock.
    pub(crate) fn pop_share(&self, workers: usize, batch: &mut Vec<Task>) -> Option<Task> {
        if self.is_empty() {
            return None;
        }
        batch.reserve(MOST_AT_ONCE);
        let mut inner = lock(&self.inner);
        let first = inner.tasks.pop_front()?;
        let others = (inner.tasks.len() / workers).min(MOST_AT_ONCE);
        batch.extend(inner.tasks.drain(..others));
        self.changed(&inner);
        Some(first)
    }

    /// Called before the lock is free again, so that `len` is never older than the tasks.
    fn changed(&self, inner: &Inner) {
        self.len.store(inner.tasks.len(), Relaxed);
        self.locks.add(1);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len.load(Relaxed) == 0
    }

    /// Takes no more tasks, and returns all that are there.
    pub(crate) fn close(&self) -> VecDeque<Task> {
        let mut inner = lock(&self.inner);
        inner.closed = true;
        self.len.store(0, Relaxed);
        mem::take(&mut inner.tasks)
    }
}

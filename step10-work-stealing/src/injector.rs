//! The queue for tasks that come from outside: one for all workers, under a lock.

use std::{collections::VecDeque, mem};

use crate::metrics::Count;
use crate::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use crate::sync::{Mutex, lock};
use crate::task::Task;

/// The most tasks that a worker puts into its own queue at once, beside the one that it polls.
const MOST_AT_ONCE: usize = 128;

/// Tasks that no worker has taken yet, first in, first out.
// ANCHOR: struct
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Injector {
    tasks: Mutex<VecDeque<Task>>,
    /// The number of tasks, so that no lock is needed to see that there is none.
    len: AtomicUsize,
    /// How often the lock was taken to add tasks or to take some. Changed under the lock alone.
    pub(crate) locks: Count,
}
// ANCHOR_END: struct

impl Injector {
    /// Adds a task at the back, unless the runtime is closed. Then no worker would take it, and the reference is dropped.
    pub(crate) fn push(&self, task: Task, closed: &AtomicBool) {
        let mut tasks = lock(&self.tasks);
        // The end sets the flag before it takes this lock. So either the flag is set here, or the end finds the task.
        if closed.load(Relaxed) {
            return; // drops the guard, then `task`
        }
        tasks.push_back(task);
        self.changed(&tasks);
    }

    /// Takes the task at the front.
    pub(crate) fn pop(&self) -> Option<Task> {
        if self.is_empty() {
            return None;
        }
        let mut tasks = lock(&self.tasks);
        let first = tasks.pop_front()?;
        self.changed(&tasks);
        Some(first)
    }

    /// Takes the share of one of the `workers` from the front. Returns the first task, and puts the rest into `batch`,
    /// which has room for them, so that no memory is allocated under the lock.
    pub(crate) fn pop_share(&self, workers: usize, batch: &mut Vec<Task>) -> Option<Task> {
        if self.is_empty() {
            return None;
        }
        batch.reserve(MOST_AT_ONCE);
        let mut tasks = lock(&self.tasks);
        let first = tasks.pop_front()?;
        let others = (tasks.len() / workers).min(MOST_AT_ONCE);
        batch.extend(tasks.drain(..others));
        self.changed(&tasks);
        Some(first)
    }

    /// Called before the lock is free again, so that `len` is never older than the tasks.
    fn changed(&self, tasks: &VecDeque<Task>) {
        self.len.store(tasks.len(), Relaxed);
        self.locks.add(1);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len.load(Relaxed) == 0
    }

    /// Takes all tasks.
    pub(crate) fn take_all(&self) -> VecDeque<Task> {
        let mut tasks = lock(&self.tasks);
        self.len.store(0, Relaxed);
        mem::take(&mut *tasks)
    }
}

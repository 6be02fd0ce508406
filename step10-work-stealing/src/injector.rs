//! The queue for tasks that come from outside: one for all workers, under a lock.

use std::{collections::VecDeque, mem};

use crate::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
    task::Task,
};

/// A worker takes no more tasks at once.
const MOST_AT_ONCE: usize = 128;

/// Tasks that no worker has taken yet, first in, first out.
// ANCHOR: struct
pub(crate) struct Injector {
    queue: Mutex<Queue>,
    /// The number of tasks, for those who only ask whether there is one.
    len: AtomicUsize,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    /// No task is accepted any more.
    closed: bool,
}
// ANCHOR_END: struct

impl Injector {
    pub(crate) fn new() -> Injector {
        Injector {
            queue: Mutex::new(Queue::default()),
            len: AtomicUsize::new(0),
        }
    }

    /// Adds a task at the back. A closed injector shuts it down.
    pub(crate) fn push(&self, task: Task) {
        let mut queue = self.lock();
        if queue.closed {
            drop(queue);
            return task.shut_down();
        }
        queue.tasks.push_back(task);
        self.len.store(queue.tasks.len(), Ordering::SeqCst);
    }

    /// Takes the task at the front.
    pub(crate) fn pop(&self) -> Option<Task> {
        self.pop_some(|_| 0, drop)
    }

    /// Takes the share of one of so many workers from the front. Returns the first task, and gives the others to `put`.
    pub(crate) fn pop_share(&self, workers: usize, put: impl FnMut(Task)) -> Option<Task> {
        self.pop_some(|left| (left / workers).min(MOST_AT_ONCE - 1), put)
    }

    /// Takes the task at the front, and as many others as `others` says, which is given the number of tasks that are left.
    fn pop_some(&self, others: impl FnOnce(usize) -> usize, put: impl FnMut(Task)) -> Option<Task> {
        if self.is_empty() {
            return None;
        }
        let mut queue = self.lock();
        let first = queue.tasks.pop_front()?;
        let others = others(queue.tasks.len());
        queue.tasks.drain(..others).for_each(put);
        self.len.store(queue.tasks.len(), Ordering::SeqCst);
        Some(first)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len.load(Ordering::SeqCst) == 0
    }

    /// Accepts no more tasks, and returns those that are there.
    pub(crate) fn close(&self) -> impl Iterator<Item = Task> + use<> {
        let mut queue = self.lock();
        queue.closed = true;
        self.len.store(0, Ordering::SeqCst);
        mem::take(&mut queue.tasks).into_iter()
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

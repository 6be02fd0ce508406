//! The queue for tasks that come from outside: one for all workers, under a lock.

use std::{collections::VecDeque, mem};

use crate::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
    task::Task,
};

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

    /// Takes the tasks at the front, as many as `count` says when it is given their number, and at least one. Returns the
    /// first of them, and gives the others to `put`.
    pub(crate) fn pop(
        &self,
        count: impl FnOnce(usize) -> usize,
        put: impl FnMut(Task),
    ) -> Option<Task> {
        if self.is_empty() {
            return None;
        }
        let mut queue = self.lock();
        let first = queue.tasks.pop_front()?;
        let others = count(queue.tasks.len() + 1).saturating_sub(1);
        let others = others.min(queue.tasks.len());
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

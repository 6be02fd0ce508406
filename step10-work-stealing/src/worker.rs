//! A worker has a queue of its own, and steals from the others' queues when it finds nothing else. Here it puts a task into its
//! queue, and finds the next one. The scheduler's versions differ in the two `match`es. The *slot* has the task
//! that runs next, the *injector* is the queue for tasks from outside, and the *driver* waits for timers and sockets.

mod check;
mod lifo;
mod sleep;
mod steal;
mod work;

use std::{cell::Cell, sync::Arc};

use crossbeam_deque::Worker;

use crate::task::{Task, Why};
use crate::{Version, shared::Shared};

/// What a worker has for itself. Other threads reach nothing of it but the stealing end of its queue.
// ANCHOR: local
pub(crate) struct Local {
    pub(crate) shared: Arc<Shared>,
    number: usize,
    queue: Worker<Task>,
    // ANCHOR_END: local
    slot_polls_in_a_row: Cell<u32>,
    /// A batch of tasks from the injector, on its way into the queue. Otherwise empty, but with room.
    share: Cell<Vec<Task>>,
    until_check: Cell<u32>,
    sleeper: sleep::Sleeper,
}

impl Local {
    /// Puts a task that this worker has spawned or woken, or that lets other tasks go first.
    // ANCHOR: push
    pub(crate) fn push(&self, task: Task, why: Why) {
        let is_next = why == Why::Woken && !self.is_driving();
        match self.shared.version {
            Version::SharedQueue => return self.shared.inject(task),
            Version::LifoSlot if is_next => self.put_in_slot(task),
            _ => self.queue.push(task),
        }
        // The driver wakes many tasks in a row, and one thief is enough for all of them.
        if !self.is_driving() {
            self.wake_a_thief();
        }
    }
    // ANCHOR_END: push

    /// Finds the next task to poll.
    // ANCHOR: next
    fn next(&self) -> Option<Task> {
        self.until_check.set(self.until_check.get() - 1);
        if self.until_check.get() == 0 {
            self.until_check.set(check::SEARCHES_BETWEEN_CHECKS);
            self.check_outside();
            if let Some(task) = self.pop_share() {
                return Some(task);
            }
        }
        self.find()
    }
    // ANCHOR_END: next

    // ANCHOR: find
    fn find(&self) -> Option<Task> {
        let injector = &self.shared.injector;
        match self.shared.version {
            Version::SharedQueue => injector.pop(),
            Version::LocalQueues => self.queue.pop().or_else(|| injector.pop()),
            Version::Stealing => self.pop_or_steal(),
            Version::LifoSlot => self.pop_slot().or_else(|| self.pop_or_steal()),
        }
    }

    fn pop_or_steal(&self) -> Option<Task> {
        // Its own queue, then its share of the injector, and then half of another worker's queue.
        let first = self.queue.pop().or_else(|| self.pop_share());
        first.or_else(|| self.steal())
    }
    // ANCHOR_END: find
}

//! A worker has a queue of its own, and steals from the others' queues when it finds nothing else. This is where it puts a task
//! (`push`), and where it finds the next one to poll (`next`). The scheduler's versions differ in the two `match`es, and in a share.
//!
//! The *slot* has room for one task, which runs next. The *injector* is the queue for tasks from other threads; a worker's *share*
//! of it is what it takes there at once: one task or, in a version that steals, its part of them all. The *driver* waits for timers
//! and sockets, and a worker *is driving* while it calls the wakers of those that are ready. A *check*, now and then, is a look at
//! what a busy worker would never come to: the driver, the injector, and a worker that is stuck in a poll.

mod check;
mod lifo;
mod sleep;
mod steal;
mod work;

use std::{cell::Cell, sync::Arc};

use crossbeam_deque::Worker;

use crate::task::{Task, Why};
use crate::{Version, shared::Shared};

/// A worker's own data. Of all this, other threads reach only the stealing end of the queue. Its slot is in `shared.workers`,
/// where a check can empty it.
// ANCHOR: local
pub(crate) struct Local {
    pub(crate) shared: Arc<Shared>,
    number: usize,
    queue: Worker<Task>,
    // ANCHOR_END: local
    slot_polls_in_a_row: Cell<u32>,
    /// Tasks on their way from the injector into the queue. Otherwise empty, but with room.
    batch: Cell<Vec<Task>>,
    /// How many searches for a task are left until the next check.
    until_check: Cell<u32>,
    sleeper: sleep::Sleeper,
}

impl Local {
    /// Looks where a task may be, the nearest place first.
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

    /// Puts a task that this worker has spawned or woken (`Why::Woken`), or that was woken in its own poll and so lets other
    /// tasks go first (`Why::Yielded`).
    // ANCHOR: push
    pub(crate) fn push(&self, task: Task, why: Why) {
        let is_next = why == Why::Woken && !self.is_driving(); // the driver wakes many
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
}

//! A worker has a *local queue*, and steals from the others' local queues when it finds nothing else. This is where it puts a task
//! (`schedule`), and where it finds the next one to poll (`next`). The versions of the scheduler differ in the `match` of `schedule`, in
//! that of `find`, and in the size of a share.
//!
//! - The *slot* has room for one task, which runs next.
//! - The *injector* is the queue for tasks from other threads. A worker's *share* of it is what it takes there at once: one task, or in
//!   a version that steals, an nth of all tasks if there are n workers.
//! - The *driver* waits for timers and sockets. A worker *is driving* while it calls the wakers of those that are ready.
//! - A *check* is a look at what a worker would otherwise never come to: the driver, the injector, and a worker that is stuck in a poll.
//!   A busy worker checks now and then, and so do one or two of the sleepers.

mod local_queue;
mod phase;
mod sleep;
mod watch;

use std::{cell::Cell, sync::Arc, time::Duration};

use crossbeam_deque::Worker as Deque;

use crate::shared::{Remote, Shared};
use crate::sync::Instant;
use crate::task::{Task, Why};
use crate::{Version, budget};

use local_queue::LocalQueue;
use sleep::{SleepEnd, Sleeper};
use watch::Watch;

/// At every 61st search for a task, a worker checks the driver and the injector first. tokio has the same number for its driver.
const SEARCHES_BETWEEN_CHECKS: u32 = 61;

/// A worker's own data. Other threads reach only what is in `shared.workers`: the stealing end of its deque, and the slot, which
/// a check can empty.
pub(crate) struct Local {
    pub(crate) shared: Arc<Shared>,
    /// What other threads reach of this worker.
    remote: Arc<Remote>,
    local_queue: LocalQueue,
    /// How many searches for a task are left until the next check.
    until_check: Cell<u32>,
    watch: Watch,
    sleeper: Sleeper,
}

impl Local {
    pub(crate) fn new(shared: Arc<Shared>, number: usize, deque: Deque<Task>) -> Local {
        let remote = Arc::clone(&shared.workers[number]);
        Local {
            local_queue: LocalQueue::new(Arc::clone(&remote), deque),
            remote,
            until_check: Cell::new(SEARCHES_BETWEEN_CHECKS),
            watch: Watch::new(shared.workers.len(), Instant::now()),
            sleeper: Sleeper::new(Arc::clone(&shared), number),
            shared,
        }
    }

    /// Polls tasks until the runtime is shut down.
    // ANCHOR: work
    pub(crate) fn work(&self) {
        loop {
            let next = self.next();
            // The shutdown may have begun meanwhile. Perhaps a destructor that it ran has spawned this task, so it must not run.
            if self.shared.is_closed() {
                if let Some(task) = next {
                    task.shut_down();
                }
                break;
            }
            match next {
                Some(task) => self.run(task),
                None => self.sleep(),
            }
        }
        // The shutdown has emptied these too, but the last poll here may have put a task there since.
        while let Some(task) = self.local_queue.pop_at_the_end() {
            task.shut_down();
        }
    }

    fn run(&self, task: Task) {
        self.sleeper.hand_over();
        self.remote.counts.polls.add(1);
        budget::refill(self.shared.budget);
        task.run();
    }
    // ANCHOR_END: work

    /// Finds the next task to poll.
    fn next(&self) -> Option<Task> {
        self.until_check.set(self.until_check.get() - 1);
        if self.until_check.get() == 0 {
            self.until_check.set(SEARCHES_BETWEEN_CHECKS);
            self.check_outside();
            if let Some(task) = self.pop_share() {
                return Some(task);
            }
        }
        self.find()
    }

    /// A check by a busy worker: what the loop in `sleep` does, without the sleep.
    fn check_outside(&self) {
        self.sleeper.drive(Some(Duration::ZERO));
        self.sleeper.wake_due();
        self.help_stuck_workers();
        self.wake_a_thief();
    }

    /// Looks where a task may be, the nearest place first.
    fn find(&self) -> Option<Task> {
        let queue = &self.local_queue;
        match self.shared.version {
            Version::SharedQueue => self.pop_share(),
            Version::LocalQueues => queue.pop().or_else(|| self.pop_share()),
            Version::Stealing => self.pop_or_steal(),
            Version::LifoSlot => self.pop_slot_or_steal(),
        }
    }

    // ANCHOR: find
    fn pop_slot_or_steal(&self) -> Option<Task> {
        let from_slot = self.local_queue.pop_slot();
        from_slot.or_else(|| self.pop_or_steal())
    }

    fn pop_or_steal(&self) -> Option<Task> {
        let own = self.local_queue.pop();
        own.or_else(|| self.pop_share()).or_else(|| self.steal())
    }
    // ANCHOR_END: find

    /// Takes this worker's share of what is in the injector. Without thieves, that is one task.
    fn pop_share(&self) -> Option<Task> {
        let shared = &self.shared;
        if shared.version.steals() {
            self.local_queue
                .take_share(&shared.injector, shared.workers.len())
        } else {
            shared.injector.pop()
        }
    }

    /// Takes half of what another worker has in its local queue, unless enough workers search already.
    fn steal(&self) -> Option<Task> {
        if !self.sleeper.start_searching() {
            return None;
        }
        self.local_queue.steal(&self.shared.workers)
    }

    /// Puts a task that this worker has spawned or woken (`Why::Woken`), or that was woken in its own poll and so lets other
    /// tasks go first (`Why::Yielded`).
    // There is no fence between the push and the look for a sleeper. A worker that falls asleep at this moment may overlook the task,
    // and this worker may overlook the sleeper. Rule 3 in `worker/sleep.rs` says who polls the task all the same.
    // ANCHOR: schedule
    pub(crate) fn schedule(&self, task: Task, why: Why) {
        let is_next = why == Why::Woken && !self.sleeper.is_driving(); // the driver wakes many
        match self.shared.version {
            Version::SharedQueue => return self.shared.inject(task),
            Version::LifoSlot if is_next => self.local_queue.put_in_slot(task),
            _ => self.local_queue.push(task),
        }
        // The driver wakes many tasks in a row, and one thief is enough for all of them.
        if !self.sleeper.is_driving() {
            self.wake_a_thief();
        }
    }
    // ANCHOR_END: schedule

    /// Wakes a sleeper if more than one task waits in the local queue, because a wake-up costs as much as many polls.
    // ANCHOR: thief
    fn wake_a_thief(&self) {
        if self.shared.version.steals() && self.local_queue.len() > 1 {
            self.shared.wake_one();
        }
    }
    // ANCHOR_END: thief

    /// Moves tasks from the slots of workers that are stuck in a poll into this worker's local queue.
    fn help_stuck_workers(&self) {
        self.watch
            .rescue(&self.shared.workers, &self.local_queue, Instant::now());
    }

    /// Sleeps until there may be something to poll.
    // ANCHOR: sleep
    fn sleep(&self) {
        let mut has_checked = false;
        loop {
            let end = self.sleeper.sleep_once(has_checked);
            let has_woken_tasks = self.sleeper.wake_due();
            self.help_stuck_workers();
            self.wake_a_thief();
            let may_find_a_task = match end {
                SleepEnd::Chosen | SleepEnd::FoundTask => true,
                SleepEnd::Otherwise => has_woken_tasks || self.local_queue.len() > 0,
            };
            if may_find_a_task || self.shared.is_closed() {
                return;
            }
            has_checked = true;
        }
    }
    // ANCHOR_END: sleep
}

#[cfg(all(test, loom))]
#[path = "../tests/loom/search_model.rs"]
mod models;
#[cfg(all(test, not(loom)))]
#[path = "../tests/inside/schedule.rs"]
mod tests;

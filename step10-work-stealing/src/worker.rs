//! A worker: what it has for itself, what it polls next, and how it sleeps.

use std::{cell::Cell, mem, sync::Arc, task::Waker, time::Duration};

use crossbeam_deque::{Steal, Worker};

use crate::{
    Park, Version, budget,
    contain::contain,
    handle::{Remote, Shared},
    sync::Instant,
    task::{Task, Why},
};

// ANCHOR: constants
/// After so many polls a worker looks at the kernel and at the queue for what comes from outside, even if it has more to
/// poll. tokio has the same number.
const POLLS_BETWEEN_LOOKS: u32 = 61;

/// So often in a row a worker polls what is in its slot while others wait in its queue. tokio has the same number.
const SLOT_POLLS_IN_A_ROW: u32 = 3;

/// One of two sleepers looks so often whether another worker is stuck, as long as any worker is awake.
pub(crate) const LOOK: Duration = Duration::from_millis(20);
// ANCHOR_END: constants

/// What a worker has for itself. No other thread touches it, and of the queue only the stealer's end.
// ANCHOR: local
pub(crate) struct Local {
    shared: Arc<Shared>,
    number: usize,
    queue: Worker<Task>,
    slot_polls_in_a_row: Cell<u32>,
    /// How many polls until the next look.
    until_look: Cell<u32>,
    /// It counts as searching.
    searching: Cell<bool>,
    /// It has announced that it sleeps, and polled nothing since.
    has_slept: Cell<bool>,
    /// It has slept, was not woken by another thread, and polled nothing since.
    has_looked: Cell<bool>,
    /// It wakes what the driver has reported, and wakes no other worker meanwhile.
    is_driving: Cell<bool>,
    /// The wakers of the latest report. Kept, so that a wait allocates nothing.
    due: Cell<Vec<Waker>>,
    /// When it last looked whether another worker is stuck.
    looked: Cell<Instant>,
    /// How many polls each worker had begun by then.
    polls_seen: Cell<Vec<u64>>,
}
// ANCHOR_END: local

impl Local {
    pub(crate) fn new(shared: Arc<Shared>, number: usize, queue: Worker<Task>) -> Local {
        let polls_seen = vec![0; shared.workers.len()];
        Local {
            shared,
            number,
            queue,
            slot_polls_in_a_row: Cell::new(0),
            until_look: Cell::new(POLLS_BETWEEN_LOOKS),
            searching: Cell::new(false),
            has_slept: Cell::new(false),
            has_looked: Cell::new(false),
            is_driving: Cell::new(false),
            due: Cell::default(),
            looked: Cell::new(Instant::now()),
            polls_seen: Cell::new(polls_seen),
        }
    }

    /// Polls tasks until the runtime is shut down.
    // ANCHOR: work
    pub(crate) fn work(&self) {
        loop {
            let next = self.next();
            // Asked after the task was taken, because what the end of another task has spawned is not polled any more.
            if self.shared.is_closed() {
                next.inspect(Task::shut_down);
                break;
            }
            match next {
                Some(task) => self.run(task),
                None => self.sleep(),
            }
        }
        // What has come since the end looked here.
        while let Some(task) = self.remote().slot.take().or_else(|| self.queue.pop()) {
            task.shut_down();
        }
    }

    fn run(&self, task: Task) {
        if self.searching.take()
            && self.shared.idle.stop_searching()
            && self.shared.is_anything_queued()
        {
            self.shared.wake_one(); // nobody was woken for it, because this one was searching
        }
        if self.has_slept.take() && self.shared.idle.nobody_looks() {
            self.shared.wake_one(); // one sleeper has to look whether this one gets stuck
        }
        self.has_looked.set(false);
        self.remote().counts.polls.add(1);
        if self.shared.version >= Version::Budget {
            budget::refill();
        }
        task.run();
    }
    // ANCHOR_END: work

    // ANCHOR: push
    /// Takes a task that this thread has woken or spawned.
    pub(crate) fn push(&self, task: Task, why: Why) {
        let version = self.shared.version;
        if version < Version::LocalQueues {
            return self.shared.inject(task);
        }
        let mut task = task;
        if version >= Version::LifoSlot && why == Why::Woken && !self.is_driving.get() {
            // No other worker is woken for it, because it runs here, and next.
            match self.remote().slot.put(task) {
                None => return,
                Some(earlier) => task = earlier,
            }
        }
        self.queue.push(task);
        if !self.is_driving.get() {
            self.wake_another_if_needed();
        }
    }
    // ANCHOR_END: push

    // ANCHOR: next
    /// Finds a task to poll.
    fn next(&self) -> Option<Task> {
        self.until_look.set(self.until_look.get() - 1);
        if self.until_look.get() == 0 {
            self.until_look.set(POLLS_BETWEEN_LOOKS);
            self.drive(Some(Duration::ZERO));
            self.help_stuck_workers();
            self.wake_another_if_needed();
            if let Some(task) = self.shared.injector.pop() {
                return Some(task);
            }
        }
        self.pop_slot()
            .or_else(|| self.pop_queue())
            .or_else(|| self.pop_injector())
            .or_else(|| self.steal())
    }

    fn pop_slot(&self) -> Option<Task> {
        let task = self.remote().slot.take()?;
        let in_a_row = self.slot_polls_in_a_row.get();
        if in_a_row >= SLOT_POLLS_IN_A_ROW && !self.queue.is_empty() {
            self.queue.push(task);
            return None;
        }
        self.slot_polls_in_a_row.set(in_a_row + 1);
        self.remote().counts.slot_polls.add(1);
        Some(task)
    }

    fn pop_queue(&self) -> Option<Task> {
        self.slot_polls_in_a_row.set(0);
        self.queue.pop()
    }

    fn pop_injector(&self) -> Option<Task> {
        let shared = &self.shared;
        match shared.version {
            // What it took beside the first, no other worker could take from it.
            Version::SharedQueue | Version::LocalQueues => shared.injector.pop(),
            _ => {
                let workers = shared.workers.len();
                shared
                    .injector
                    .pop_share(workers, |task| self.queue.push(task))
            }
        }
    }
    // ANCHOR_END: next

    /// Takes half of what another worker has in its queue.
    // ANCHOR: steal
    fn steal(&self) -> Option<Task> {
        let (shared, workers) = (&self.shared, self.shared.workers.len());
        if shared.version < Version::Stealing {
            return None;
        }
        if !self.searching.get() && !shared.idle.start_searching() {
            return None;
        }
        self.searching.set(true);
        let others = (1..workers).map(|next| &shared.workers[(self.number + next) % workers]);
        others.into_iter().find_map(|other| {
            loop {
                match other.stealer.steal_batch_and_pop(&self.queue) {
                    Steal::Success(task) => {
                        let counts = &self.remote().counts;
                        counts.steals.add(1);
                        counts.stolen.add(1 + self.queue.len() as u64);
                        return Some(task);
                    }
                    Steal::Empty => return None,
                    Steal::Retry => {} // two thieves, or a thief and the owner, came at once
                }
            }
        })
    }
    // ANCHOR_END: steal

    // ANCHOR: sleep
    /// Sleeps until there may be something to poll.
    fn sleep(&self) {
        let shared = &self.shared;
        let searched = self.searching.take();
        let looks = (shared.idle).fall_asleep(self.number, searched, self.has_looked.take());
        let limit = looks.then_some(LOOK);
        // Once more, now that a push sees that this worker sleeps.
        let found = shared.is_anything_queued();
        if !found && !shared.is_closed() {
            self.remote().counts.sleeps.add(1);
            self.drive_or_park(limit);
        }
        // Even if it has not: another one may have seen all asleep meanwhile, and so does not look.
        self.has_slept.set(true);
        let woken = shared.idle.wake_up(self.number, looks);
        self.has_looked.set(!woken && !found);
        // Who put there what it has found may have woken nobody, because it was searching.
        let searches = || found && searched && shared.idle.start_searching();
        self.searching.set(woken || searches());
        self.help_stuck_workers();
        self.wake_another_if_needed();
    }

    /// Wakes a sleeper if more than one task waits in the queue, because a wake-up costs as much as many polls.
    fn wake_another_if_needed(&self) {
        if self.shared.version >= Version::Stealing && self.queue.len() > 1 {
            self.shared.wake_one();
        }
    }

    fn drive_or_park(&self, limit: Option<Duration>) {
        if !self.drive(limit) {
            self.remote().parking.park(limit);
        }
    }

    /// Waits for timers and sockets, and wakes the tasks that are due. Returns `false` if another worker does that.
    fn drive(&self, limit: Option<Duration>) -> bool {
        // Never poisoned, because a panic of the driver is contained.
        let Ok(driving) = self.shared.driving.try_lock() else {
            return false;
        };
        let mut due = self.due.take();
        let driver = &self.shared.driver;
        let parked = self.remote().parking.park_in(|may_sleep| {
            let limit = if may_sleep {
                limit
            } else {
                Some(Duration::ZERO)
            };
            // We do not control what it sleeps in.
            contain(|| driver.park(limit, &mut due))
        });
        drop(driving);
        if parked.is_none() {
            self.remote().parking.park(Some(LOOK)); // it may panic again, so not at once
        }
        self.is_driving.set(true);
        for waker in due.drain(..) {
            contain(|| waker.wake()); // it may panic, and there are others to wake
        }
        self.is_driving.set(false);
        self.due.set(due);
        true
    }
    // ANCHOR_END: sleep

    // ANCHOR: stuck
    /// Fetches what is in the slot of a worker that has begun no poll since the last look, which is some time ago. The task
    /// that it polls may be waiting for just that.
    fn help_stuck_workers(&self) {
        if self.looked.get().elapsed() < LOOK {
            return;
        }
        self.looked.set(Instant::now());
        let mut polls_seen = self.polls_seen.take();
        for (other, seen) in self.shared.workers.iter().zip(&mut polls_seen) {
            let polls = other.counts.polls.get();
            let is_stuck = mem::replace(seen, polls) == polls;
            if let Some(task) = is_stuck.then(|| other.slot.take()).flatten() {
                self.queue.push(task);
            }
        }
        self.polls_seen.set(polls_seen);
    }
    // ANCHOR_END: stuck

    fn remote(&self) -> &Remote {
        &self.shared.workers[self.number]
    }
}

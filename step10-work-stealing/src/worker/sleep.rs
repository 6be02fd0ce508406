//! How a worker sleeps, whom it wakes, and what it does for a worker that is stuck.

use std::{cell::Cell, mem, task::Waker, time::Duration};

use crate::{Park, contain::contain, sync::Instant};

use super::Local;

/// A sleeper looks so often whether another worker is stuck, as long as any worker is awake.
const LOOK: Duration = Duration::from_millis(20);

/// What a worker is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// It polls tasks, one after the other.
    Polling,
    /// It calls the wakers of what the driver has reported.
    Driving,
    /// It has nothing to poll, and is counted among the workers that look into the queues of other workers.
    Searching,
    /// It has announced that it sleeps, and polled nothing since.
    Slept,
}

/// What a worker has for itself to sleep well.
pub(super) struct Sleeper {
    phase: Cell<Phase>,
    /// The wakers of the latest report of the driver. Kept, so that a wait allocates nothing.
    due: Cell<Vec<Waker>>,
    /// When it last looked whether another worker is stuck.
    looked: Cell<Instant>,
    /// How many polls each worker had begun by then.
    polls_seen: Cell<Vec<u64>>,
}

impl Sleeper {
    pub(super) fn new(workers: usize) -> Sleeper {
        Sleeper {
            phase: Cell::new(Phase::Polling),
            due: Cell::default(),
            looked: Cell::new(Instant::now()),
            polls_seen: Cell::new(vec![0; workers]),
        }
    }
}

impl Local {
    pub(super) fn is_driving(&self) -> bool {
        self.sleeper.phase.get() == Phase::Driving
    }

    /// Whether the worker is counted as searching, or is from now on.
    pub(super) fn may_search(&self) -> bool {
        let phase = &self.sleeper.phase;
        let may = phase.get() == Phase::Searching || self.start_searching();
        if may {
            phase.set(Phase::Searching);
        }
        may
    }

    fn start_searching(&self) -> bool {
        let workers = self.shared.workers.len();
        self.shared.idle.start_searching(workers)
    }

    /// The worker has something to do, and so it neither searches nor sleeps.
    pub(super) fn begin(&self) {
        let shared = &self.shared;
        let before = self.sleeper.phase.replace(Phase::Polling);
        if before == Phase::Polling {
            return;
        }
        // While it searched, no other worker was woken. And one sleeper has to look, in case this worker gets stuck.
        let last = before == Phase::Searching && shared.idle.stop_searching();
        if last && shared.is_anything_queued() || shared.idle.nobody_looks() {
            shared.wake_one();
        }
    }

    /// Sleeps until there may be something to poll.
    // ANCHOR: sleep
    pub(super) fn sleep(&self) {
        let (shared, phase) = (&self.shared, &self.sleeper.phase);
        let mut has_looked = false;
        loop {
            let searched = phase.replace(Phase::Slept) == Phase::Searching;
            let looks = shared.idle.fall_asleep(self.number, searched, has_looked);
            // The last look, now that a push sees that this worker sleeps.
            let found = shared.is_anything_queued();
            if !found && !shared.is_closed() {
                self.remote().counts.sleeps.add(1);
                let limit = looks.then_some(LOOK);
                if !self.drive(limit) {
                    self.remote().parking.park(limit);
                }
            }
            let woken = shared.idle.wake_up(self.number, looks);
            // The push of what it has found may have woken no worker, because this one was searching.
            if woken || found && searched && self.start_searching() {
                phase.set(Phase::Searching);
            }
            let reported = self.wake_due();
            self.help_stuck_workers();
            self.wake_a_thief();
            if woken || found || reported || !self.queue.is_empty() || shared.is_closed() {
                return;
            }
            has_looked = true;
        }
    }
    // ANCHOR_END: sleep

    /// What a worker does now and then, even if it has more to poll.
    pub(super) fn look_up(&self) {
        self.drive(Some(Duration::ZERO));
        self.wake_due();
        self.help_stuck_workers();
        self.wake_a_thief();
    }

    /// Wakes a sleeper if more than one task waits in the queue, because a wake-up costs as much as many polls.
    pub(super) fn wake_a_thief(&self) {
        if self.shared.version.steals() && self.queue.len() > 1 {
            self.shared.wake_one();
        }
    }

    /// Waits for timers and sockets. Returns `false` if another worker does that.
    // ANCHOR: drive
    fn drive(&self, limit: Option<Duration>) -> bool {
        // It is never poisoned, because a panic of the driver is contained.
        let Ok(driving) = self.shared.driving.try_lock() else {
            return false;
        };
        let mut due = self.sleeper.due.take();
        let parked = self.remote().parking.park_in(|may_sleep| {
            let limit = if may_sleep {
                limit
            } else {
                Some(Duration::ZERO)
            };
            // We do not control what it sleeps in.
            contain(|| self.shared.driver.park(limit, &mut due))
        });
        drop(driving);
        self.sleeper.due.set(due);
        if parked.is_none() {
            self.remote().parking.park(Some(LOOK)); // it may panic again, so not at once
        }
        true
    }

    /// Wakes the tasks that the driver has reported, if there are any.
    fn wake_due(&self) -> bool {
        let mut due = self.sleeper.due.take();
        let any = !due.is_empty();
        if any {
            self.begin();
            self.sleeper.phase.set(Phase::Driving);
            for waker in due.drain(..) {
                contain(|| waker.wake()); // it may panic, and there are others to wake
            }
            self.sleeper.phase.set(Phase::Polling);
        }
        self.sleeper.due.set(due);
        any
    }
    // ANCHOR_END: drive

    /// Fetches what is in the slot of a worker that has begun no poll since the last look, which is some time ago. The task
    /// that it polls may be waiting for exactly that.
    // ANCHOR: stuck
    fn help_stuck_workers(&self) {
        if self.sleeper.looked.get().elapsed() < LOOK {
            return;
        }
        self.sleeper.looked.set(Instant::now());
        let mut polls_seen = self.sleeper.polls_seen.take();
        for (other, seen) in self.shared.workers.iter().zip(&mut polls_seen) {
            let polls = other.counts.polls.get();
            let is_stuck = mem::replace(seen, polls) == polls;
            if let Some(task) = is_stuck.then(|| other.slot.take()).flatten() {
                self.queue.push(task);
            }
        }
        self.sleeper.polls_seen.set(polls_seen);
    }
    // ANCHOR_END: stuck
}

//! How a worker sleeps, and whom it wakes.

use std::{cell::Cell, task::Waker, time::Duration};

use crate::{Park, contain::contain, sync::Instant};

use super::{Local, check::CHECK_INTERVAL};

/// What a worker is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// It polls tasks, one after the other.
    Polling,
    /// It calls the wakers of what the driver has reported.
    Driving,
    /// It has nothing to poll, and is counted among the workers that search in the queues of other workers.
    Searching,
    /// It has announced that it sleeps, and polled nothing since.
    Slept,
}

/// What a worker keeps from one sleep or check to the next.
pub(super) struct Sleeper {
    phase: Cell<Phase>,
    /// The wakers that the driver reported last. Kept, so that a wait allocates nothing.
    due: Cell<Vec<Waker>>,
    /// When it last checked whether another worker is stuck.
    pub(super) checked_at: Cell<Instant>,
    /// How many polls each worker had begun by then.
    pub(super) polls_seen: Cell<Vec<u64>>,
}

impl Sleeper {
    pub(super) fn new(workers: usize) -> Sleeper {
        Sleeper {
            phase: Cell::new(Phase::Polling),
            due: Cell::default(),
            checked_at: Cell::new(Instant::now()),
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
        // While this worker searched, other threads may have put tasks into queues and woken no worker, because it would find
        // them. It has found one and leaves the rest, so it wakes the next worker. It also wakes one if no sleeper checks on
        // the others, because from now on this worker may get stuck.
        let was_last = before == Phase::Searching && shared.idle.stop_searching();
        if was_last && shared.is_anything_queued() || shared.idle.nobody_checks() {
            shared.wake_one();
        }
    }

    /// Sleeps until there may be something to poll.
    // ANCHOR: sleep
    pub(super) fn sleep(&self) {
        let (shared, phase) = (&self.shared, &self.sleeper.phase);
        let mut has_checked = false;
        loop {
            let searched = phase.replace(Phase::Slept) == Phase::Searching;
            let checks = shared.idle.fall_asleep(self.number, searched, has_checked);
            // The last look. A thread that pushes from now on sees the announcement, and wakes a sleeper for what others may take.
            // One that pushed before may have seen no sleeper, but then its task is found here.
            let found = shared.is_anything_queued();
            if !found && !shared.is_closed() {
                let limit = checks.then_some(CHECK_INTERVAL);
                // A thread that has chosen this worker unparks it, perhaps before it is parked: then it does not sleep.
                if !self.drive(limit) {
                    self.remote().parking.park(limit);
                }
                self.remote().counts.sleeps.add(1);
            }
            let woken = shared.idle.wake_up(self.number, checks);
            // Until the announcement this worker counted as searching, so the threads that pushed what it has found may have
            // woken no worker. If it counts as searching again, `begin` wakes the next worker for what this one leaves.
            if woken || found && searched && self.start_searching() {
                phase.set(Phase::Searching);
            }
            let reported = self.wake_due();
            self.help_stuck_workers();
            self.wake_a_thief();
            if woken || found || reported || !self.queue.is_empty() || shared.is_closed() {
                return;
            }
            has_checked = true;
        }
    }
    // ANCHOR_END: sleep

    /// Wakes a sleeper if more than one task waits in the queue, because a wake-up costs as much as many polls.
    pub(super) fn wake_a_thief(&self) {
        if self.shared.version.steals() && self.queue.len() > 1 {
            self.shared.wake_one();
        }
    }

    /// Waits for timers and sockets. Returns `false` if another worker does that.
    // ANCHOR: drive
    pub(super) fn drive(&self, limit: Option<Duration>) -> bool {
        // It is never poisoned, because a panic of the driver is contained.
        let Ok(driving) = self.shared.driving.try_lock() else {
            return false;
        };
        let mut due = self.sleeper.due.take();
        let parked = self.remote().parking.park_in(|may_sleep| {
            let limit = (!may_sleep).then_some(Duration::ZERO).or(limit);
            contain(|| self.shared.driver.park(limit, &mut due))
        });
        // Another worker may drive from here on, so a waker that blocks this one holds up no timer of others.
        drop(driving);
        self.sleeper.due.set(due);
        if parked.is_none() {
            self.remote().parking.park(Some(CHECK_INTERVAL)); // it may panic again, so not at once
        }
        true
    }

    /// Wakes the tasks that the driver has reported, if there are any.
    pub(super) fn wake_due(&self) -> bool {
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
}

//! How a worker sleeps, and whom it wakes.
//!
//! A task may come into a queue at the moment at which a worker falls asleep. Three rules make sure that some worker gets it:
//!
//! 1. *A task in the injector is seen at once.* The thread that pushes it ([`Shared::inject`]) then looks for a sleeper. A worker
//!    that falls asleep ([`sleep_once`](Sleeper::sleep_once)) or stops searching ([`hand_over`](Sleeper::hand_over)) says so in the
//!    counts and then looks into the queues. There is a fence between the two steps on either side, so one side sees the other.
//! 2. *While a worker polls, one of the sleepers checks.* A worker that falls asleep checks, unless two others do or all of them
//!    sleep ([`fall_asleep`](crate::idle::IdleSet::fall_asleep)). A worker that begins to poll wakes a sleeper if none of them checks
//!    (`hand_over`). A searcher and a sleeper whose check is over soon do one of the two.
//! 3. *A task in a local queue is seen by its owner or at a check.* The owner passes no fence after its push, and may wake no worker
//!    (`Local::schedule`). If its poll returns, it takes the task itself. If the poll blocks, some sleeper checks, by rule 2: it wakes
//!    up every [`CHECK_INTERVAL`], and before it sleeps again, it looks into all queues and steals what it sees there.
//!
//! Rule 3 needs a [version](crate::Version) that steals. What is in the slot of a blocked worker is not in a queue, and a check takes
//! it out ([`Watch`](super::watch::Watch)).

use std::{cell::Cell, sync::Arc, task::Waker, time::Duration};

use crate::shared::{Remote, Shared};
use crate::{Park, contain::contain};

use super::{phase::CurrentPhase, watch::CHECK_INTERVAL};

/// What a worker keeps from one sleep to the next.
pub(super) struct Sleeper {
    shared: Arc<Shared>,
    /// Which of the workers it is.
    number: usize,
    remote: Arc<Remote>,
    phase: CurrentPhase,
    /// Whether it calls the wakers of what the driver has reported.
    is_driving: Cell<bool>,
    /// The wakers that the driver reported last. Kept, so that a wait allocates nothing.
    due: Cell<Vec<Waker>>,
}

/// How an attempt to sleep has ended.
pub(super) enum SleepEnd {
    /// Another thread has put a task into a queue, and has chosen this worker to search for it.
    Chosen,
    /// There was a task at the last look, so the worker did not sleep.
    FoundTask,
    /// A timer or a socket, the time for a check, or no reason at all.
    Otherwise,
}

impl Sleeper {
    pub(super) fn new(shared: Arc<Shared>, number: usize) -> Sleeper {
        Sleeper {
            remote: Arc::clone(&shared.workers[number]),
            shared,
            number,
            phase: CurrentPhase::default(),
            is_driving: Cell::new(false),
            due: Cell::default(),
        }
    }

    pub(super) fn is_driving(&self) -> bool {
        self.is_driving.get()
    }

    /// Counts the worker as searching if it does not yet. Returns `false` if so many search already that it must not.
    pub(super) fn start_searching(&self) -> bool {
        let shared = &self.shared;
        self.phase
            .start_searching(&shared.idle, shared.workers.len())
    }

    /// The worker is about to poll a task or to call a waker, and either may block it. Until now other threads could rely on it to search
    /// and to check. If there is more to find, or if no sleeper checks, it wakes a sleeper.
    pub(super) fn hand_over(&self) {
        if self.phase.is_polling() {
            return; // it has done that already
        }
        let shared = &self.shared;
        let was_last_searcher = self.phase.start_polling(&shared.idle);
        // While this worker searched, other threads may have put tasks into queues and woken no worker, because it would find
        // them. It has found one and leaves the rest.
        let leaves_tasks = was_last_searcher && shared.is_anything_queued();
        if leaves_tasks || shared.idle.nobody_checks() {
            shared.wake_one();
        }
    }

    /// Announces that the worker sleeps, looks again, and sleeps if there is no task.
    // ANCHOR: sleep
    pub(super) fn sleep_once(&self, has_checked: bool) -> SleepEnd {
        let shared = &self.shared;
        let phase = &self.phase;
        // Announces the sleep, and passes a fence.
        let checks = phase.fall_asleep(&shared.idle, self.number, has_checked);
        // ANCHOR: last-look
        // The last look. A thread that puts a task into the injector from now on sees the
        // announcement and wakes a sleeper.
        let found = shared.is_anything_queued();
        // ANCHOR_END: last-look
        if !found && !shared.is_closed() {
            self.park(checks.then_some(CHECK_INTERVAL));
        }
        if phase.wake_up(&shared.idle, self.number, checks) {
            return SleepEnd::Chosen;
        }
        if !found {
            return SleepEnd::Otherwise;
        }
        // There may be more than one task, and if this worker was searching until the announcement, their pushes have woken no
        // worker. It searches again, so `hand_over` wakes the next worker for what it leaves.
        phase.search_for_what_was_seen(&shared.idle);
        SleepEnd::FoundTask
    }

    /// Sleeps in the driver, or if another worker is there, on this worker's own condition variable. A thread that has chosen
    /// this worker unparks it, perhaps before it is parked. Then it does not sleep.
    fn park(&self, limit: Option<Duration>) {
        let has_driven = self.drive(limit);
        if !has_driven {
            self.remote.parking.park(limit);
        }
        self.remote.counts.sleeps.add(1);
    }
    // ANCHOR_END: sleep

    /// Waits for timers and sockets. Returns `false` if another worker does that.
    // ANCHOR: drive
    pub(super) fn drive(&self, limit: Option<Duration>) -> bool {
        // It is never poisoned, because a panic of the driver is contained.
        let Ok(driving) = self.shared.driving.try_lock() else {
            return false;
        };
        let mut due = self.due.take();
        let parked = self.remote.parking.park_in(|may_sleep| {
            let limit = if may_sleep {
                limit
            } else {
                Some(Duration::ZERO)
            };
            contain(|| self.shared.driver.park(limit, &mut due))
        });
        // Another worker may drive from here on, so a waker that blocks this one holds up no timer of others.
        drop(driving);
        self.due.set(due);
        if parked.is_none() {
            self.remote.parking.park(Some(CHECK_INTERVAL)); // it may panic again, so not at once
        }
        true
    }

    /// Wakes the tasks that the driver has reported, if there are any.
    pub(super) fn wake_due(&self) -> bool {
        let mut due = self.due.take();
        let any = !due.is_empty();
        if any {
            self.hand_over();
            self.is_driving.set(true);
            for waker in due.drain(..) {
                contain(|| waker.wake()); // it may panic, and there are others to wake
            }
            self.is_driving.set(false);
        }
        self.due.set(due);
        any
    }
    // ANCHOR_END: drive
}

#[cfg(all(test, loom))]
#[path = "../../tests/loom/check_model.rs"]
mod models;

//! How a worker sleeps, and whom it wakes.

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

    /// The worker has something to do. What it did for others while it had nothing, it hands over: it wakes another worker if there is
    /// more to find, or if no sleeper checks on the others.
    pub(super) fn hand_over(&self) {
        let shared = &self.shared;
        let Some(was_last_searcher) = self.phase.start_polling(&shared.idle) else {
            return; // it has done that already
        };
        // While this worker searched, other threads may have put tasks into queues and woken no worker, because it would find
        // them. It has found one and leaves the rest, so it wakes the next worker.
        let leaves_tasks = was_last_searcher && shared.is_anything_queued();
        // From now on this worker may get stuck. If no sleeper checks on the others, it wakes one that will.
        if leaves_tasks || shared.idle.nobody_checks() {
            shared.wake_one();
        }
    }

    /// Announces that the worker sleeps, looks again, and sleeps if there is no task.
    // ANCHOR: sleep
    pub(super) fn sleep_once(&self, has_checked: bool) -> SleepEnd {
        let shared = &self.shared;
        let phase = &self.phase;
        let was_searching = phase.is_searching();
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
        if was_searching {
            // Until the announcement this worker counted as searching, so the threads that pushed what it has found may have
            // woken no worker. If it counts as searching again, `hand_over` wakes the next worker for what is left.
            self.start_searching();
        }
        // A worker that may not search takes nothing from the local queues of others, so it comes back here as long as a task is there.
        // That is short: at least half of the workers are searching, and each of them has a task after one look into each queue,
        // or announces its sleep.
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

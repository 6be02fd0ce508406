//! What a worker checks now and then, even while it has tasks to poll: timers and sockets, and whether another worker is stuck.

use std::{mem, time::Duration};

use crate::sync::Instant;

use super::Local;

/// At every 61st search for a task, a worker checks the driver and the injector first. tokio has the same number for its driver.
pub(super) const SEARCHES_BETWEEN_CHECKS: u32 = 61;

/// How often a sleeper wakes up to check on the other workers, as long as one of them is awake.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_millis(20);

impl Local {
    /// Does without sleeping what a worker does when it sleeps.
    pub(super) fn check_outside(&self) {
        self.drive(Some(Duration::ZERO));
        self.wake_due();
        self.help_stuck_workers();
        self.wake_a_thief();
    }

    /// Takes the task out of the slot of each worker that has begun no poll since the last check, which was some time ago. The
    /// task that such a worker polls may be waiting for exactly this one.
    // ANCHOR: stuck
    pub(super) fn help_stuck_workers(&self) {
        if self.sleeper.checked_at.get().elapsed() < CHECK_INTERVAL {
            return;
        }
        self.sleeper.checked_at.set(Instant::now());
        let mut polls_seen = self.sleeper.polls_seen.take();
        for (other, seen) in self.shared.workers.iter().zip(&mut polls_seen) {
            let polls = other.counts.polls.get();
            if mem::replace(seen, polls) == polls {
                // Its worker may be back by now and take the task itself. Then the slot is empty, and this takes nothing.
                if let Some(task) = other.slot.take() {
                    self.queue.push(task);
                }
            }
        }
        self.sleeper.polls_seen.set(polls_seen);
    }
    // ANCHOR_END: stuck
}

//! What a worker knows of the others: which of them has begun no poll for a while.

use std::{cell::Cell, sync::Arc, time::Duration};

use crate::{shared::Remote, sync::Instant};

use super::local_queue::LocalQueue;

/// The time after which a sleeper wakes up to check on the other workers, as long as one of them is awake. A worker looks at their slots
/// no more often than this.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// What a worker has seen at its last check.
pub(super) struct Watch {
    checked_at: Cell<Instant>,
    /// How many polls each worker had begun by then.
    polls_seen: Cell<Vec<u64>>,
}

impl Watch {
    pub(super) fn new(workers: usize, now: Instant) -> Watch {
        Watch {
            checked_at: Cell::new(now),
            polls_seen: Cell::new(vec![0; workers]),
        }
    }

    /// Takes the task out of the slot of each worker that has begun no poll since the last check, and puts it into `local_queue`, which
    /// is that of the worker that checks. The poll of such a worker may be waiting for exactly this task. Does nothing if the last check
    /// was a moment ago.
    // ANCHOR: stuck
    pub(super) fn rescue(&self, workers: &[Arc<Remote>], local_queue: &LocalQueue, now: Instant) {
        if now.duration_since(self.checked_at.get()) < CHECK_INTERVAL {
            return;
        }
        self.checked_at.set(now);
        let mut polls_seen = self.polls_seen.take();
        for (other, seen) in workers.iter().zip(&mut polls_seen) {
            let polls = other.counts.polls.get();
            if *seen == polls {
                // Its worker may be back by now and take the task itself. Then the slot is empty, and this takes nothing.
                if let Some(task) = other.slot.take() {
                    local_queue.push(task);
                }
            }
            *seen = polls;
        }
        self.polls_seen.set(polls_seen);
    }
    // ANCHOR_END: stuck
}

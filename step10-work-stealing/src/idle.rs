//! Who sleeps, who searches, and who is woken.
//!
//! Three counts are in one word, so that all threads see their changes in one order:
//!
//! - *Sleeping*: workers that have announced that they sleep.
//! - *Looking*: those among them who sleep for [`LOOK`](crate::worker::LOOK) at most.
//! - *Searching*: workers that have nothing to poll and look for it in the queues of the others. A sleeper that is woken
//!   counts as one at once.
//!
//! A thread that has put a task into a queue wakes a sleeper, unless a worker is searching. So a searcher that finds something
//! has to look whether there is more, and a worker that is about to sleep looks into all queues once more *after* it has
//! announced that. Of a push from outside and an announcement, the later one then sees the other. A push to a worker's own
//! queue may be missed, which does no harm: that worker is awake, and comes to the task itself.

use std::fmt;

use crate::sync::{
    Mutex, MutexGuard,
    atomic::{self, AtomicU64, Ordering},
};

const SEARCHING: u64 = 1;
const SLEEPING: u64 = 1 << 16;
const LOOKING: u64 = 1 << 32;

/// So many sleepers look up. One would be enough, but an event often wakes that very one.
const LOOKERS: u64 = 2;

// ANCHOR: struct
pub(crate) struct Idle {
    counts: AtomicU64,
    /// The numbers of the workers that sleep.
    sleepers: Mutex<Vec<usize>>,
    workers: u64,
}
// ANCHOR_END: struct

impl Idle {
    pub(crate) fn new(workers: usize) -> Idle {
        Idle {
            counts: AtomicU64::new(0),
            sleepers: Mutex::new(Vec::with_capacity(workers)),
            workers: workers as u64,
        }
    }

    /// Called after a task has been put into a queue. Returns the worker that the caller must unpark.
    // ANCHOR: wake
    #[must_use]
    pub(crate) fn worker_to_wake(&self) -> Option<usize> {
        if !self.wants_a_searcher() {
            return None;
        }
        let mut sleepers = self.lock();
        if !self.wants_a_searcher() {
            return None;
        }
        let worker = sleepers.pop()?;
        // It searches from now on, so that nobody else is woken meanwhile.
        self.counts
            .fetch_add(SEARCHING.wrapping_sub(SLEEPING), Ordering::SeqCst);
        Some(worker)
    }
    // ANCHOR_END: wake

    fn wants_a_searcher(&self) -> bool {
        let counts = self.counts();
        number(counts, SEARCHING) == 0 && number(counts, SLEEPING) != 0
    }

    /// A worker has nothing to poll. Returns `false` if half of the workers search already, and then it must not search.
    #[must_use]
    pub(crate) fn start_searching(&self) -> bool {
        let may = 2 * number(self.counts(), SEARCHING) < self.workers;
        if may {
            self.counts.fetch_add(SEARCHING, Ordering::SeqCst);
        }
        may
    }

    /// A searcher has found something. Returns whether it was the last, and then it must look whether there is more.
    #[must_use]
    pub(crate) fn stop_searching(&self) -> bool {
        let before = self.counts.fetch_sub(SEARCHING, Ordering::SeqCst);
        atomic::fence(Ordering::SeqCst); // as when it falls asleep
        number(before, SEARCHING) == 1
    }

    /// Announces that a worker sleeps, and no longer searches if it did. The caller then has to look into all queues once
    /// more. Returns whether it has to look up after [`LOOK`](crate::worker::LOOK), and then it is counted as looking. It need
    /// not if it `has_looked` since it last polled a task, and all workers sleep now.
    // ANCHOR: sleep
    #[must_use]
    pub(crate) fn fall_asleep(&self, worker: usize, searching: bool, has_looked: bool) -> bool {
        let mut sleepers = self.lock();
        sleepers.push(worker);
        let searching = if searching { SEARCHING } else { 0 };
        let wanted = !has_looked || (sleepers.len() as u64) < self.workers;
        let looks = wanted && number(self.counts(), LOOKING) < LOOKERS;
        let looking = if looks { LOOKING } else { 0 };
        self.counts.fetch_add(
            (SLEEPING + looking).wrapping_sub(searching),
            Ordering::SeqCst,
        );
        // All threads see this before the caller's look into the queues.
        atomic::fence(Ordering::SeqCst);
        looks
    }
    // ANCHOR_END: sleep

    /// A worker no longer sleeps. Returns whether it has been woken by [`worker_to_wake`](Idle::worker_to_wake), and
    /// then it counts as searching.
    #[must_use]
    pub(crate) fn wake_up(&self, worker: usize, looking: bool) -> bool {
        let looking = if looking { LOOKING } else { 0 };
        let mut sleepers = self.lock();
        let place = sleepers.iter().position(|it| *it == worker);
        let asleep = match place {
            Some(place) => {
                sleepers.swap_remove(place);
                SLEEPING
            }
            None => 0,
        };
        self.counts.fetch_sub(asleep + looking, Ordering::SeqCst);
        place.is_none()
    }

    /// Whether no sleeper looks up by itself, although there is a sleeper.
    pub(crate) fn nobody_looks(&self) -> bool {
        let counts = self.counts();
        number(counts, LOOKING) == 0 && number(counts, SLEEPING) != 0
    }

    fn counts(&self) -> u64 {
        self.counts.load(Ordering::SeqCst)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<usize>> {
        self.sleepers
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

/// The number that the word has in steps of `unit`.
fn number(counts: u64, unit: u64) -> u64 {
    (counts / unit) % (1 << 16)
}

impl fmt::Debug for Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.counts();
        let (searching, sleeping) = (number(counts, SEARCHING), number(counts, SLEEPING));
        write!(f, "{searching} searching, {sleeping} sleeping")
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// So a worker that is woken by an event, again and again, need not wake another one each time.
    #[test]
    fn a_sleeper_looks_up_once_more_before_nobody_does() {
        let idle = Idle::new(2);
        assert!(idle.fall_asleep(0, false, false));
        assert!(idle.fall_asleep(1, false, false));
        assert!(!idle.wake_up(0, true));
        assert!(!idle.nobody_looks(), "the other one does");
        assert!(!idle.fall_asleep(0, false, true), "all sleep");
        assert!(!idle.wake_up(1, true));
        assert!(idle.nobody_looks());
        assert!(idle.fall_asleep(1, false, false));
        assert!(!idle.wake_up(1, true));
        assert!(!idle.fall_asleep(1, false, true), "all sleep");
        assert_eq!(format!("{idle:?}"), "0 searching, 2 sleeping");
    }
}

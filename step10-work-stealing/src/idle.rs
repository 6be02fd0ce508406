//! Who sleeps, who searches, and who is woken.
//!
//! Three counts are in one word, so that all threads see their changes in one order:
//!
//! - *Sleeping*: workers that have announced that they sleep.
//! - *Looking*: those among them that sleep for a limited time, and then look whether another worker is stuck.
//! - *Searching*: workers that have nothing to poll and look into the queues of other workers. A woken sleeper counts as one
//!   at once.
//!
//! A thread that has put a task into a queue wakes a sleeper, unless a worker is searching. So a searcher that finds something
//! has to look whether there is more, and a worker that is about to sleep looks into all queues once more *after* it has
//! announced that. Both sides put something, then pass a fence, and then look. Of two fences one comes first, and so one side
//! sees what the other has put. The accesses themselves need no order.

use std::fmt;

use crate::sync::{
    Mutex,
    atomic::{
        self, AtomicU64,
        Ordering::{Relaxed, SeqCst},
    },
    lock,
};

const SEARCHING: u64 = 1;
const SLEEPING: u64 = 1 << 16;
const LOOKING: u64 = 1 << 32;

/// How many sleepers wake up to look. One would be enough, but an event often wakes that very one.
const LOOKERS: u64 = 2;

#[repr(align(128))]
pub(crate) struct Idle {
    counts: AtomicU64,
    /// Which workers sleep. Locked while `SLEEPING` changes.
    asleep: Mutex<Box<[bool]>>,
}

impl Idle {
    pub(crate) fn new(workers: usize) -> Idle {
        Idle {
            counts: AtomicU64::new(0),
            asleep: Mutex::new(vec![false; workers].into()),
        }
    }

    /// Called after a task has been put into a queue. Returns the worker that the caller must unpark.
    // ANCHOR: wake
    #[must_use]
    pub(crate) fn worker_to_wake(&self) -> Option<usize> {
        if !self.wants_a_searcher() {
            return None;
        }
        let mut asleep = lock(&self.asleep);
        // Again, because another thread may have woken one meanwhile.
        if !self.wants_a_searcher() {
            return None;
        }
        let worker = asleep.iter().position(|asleep| *asleep)?;
        asleep[worker] = false;
        // It searches from now on, so that no other worker is woken meanwhile.
        self.add(SEARCHING.wrapping_sub(SLEEPING));
        Some(worker)
    }
    // ANCHOR_END: wake

    fn wants_a_searcher(&self) -> bool {
        let counts = self.counts();
        number(counts, SEARCHING) == 0 && number(counts, SLEEPING) != 0
    }

    // ANCHOR: search
    /// A worker has nothing to poll. Returns `false` if half of the `workers` search already, and then it must not search.
    #[must_use]
    pub(crate) fn start_searching(&self, workers: usize) -> bool {
        let may = 2 * number(self.counts(), SEARCHING) < workers as u64;
        if may {
            self.add(SEARCHING);
        }
        may
    }

    /// A searcher has found something. Returns whether it was the last, and then it must look whether there is more.
    #[must_use]
    pub(crate) fn stop_searching(&self) -> bool {
        let before = self.add(0_u64.wrapping_sub(SEARCHING));
        atomic::fence(SeqCst); // as when it falls asleep
        number(before, SEARCHING) == 1
    }
    // ANCHOR_END: search

    /// Announces that a worker sleeps, and no longer searches if it did. The caller then has to look into all queues once
    /// more. Returns whether it has to wake up after some time to look whether another worker is stuck, and then it is counted
    /// as looking. It need not if it `has_looked` since it last polled a task, and all workers sleep now.
    // ANCHOR: sleep
    #[must_use]
    pub(crate) fn fall_asleep(&self, worker: usize, searching: bool, has_looked: bool) -> bool {
        let mut asleep = lock(&self.asleep);
        asleep[worker] = true;
        let counts = self.counts();
        let all = number(counts, SLEEPING) + 1 == asleep.len() as u64;
        let looks = number(counts, LOOKING) < LOOKERS && !(has_looked && all);
        let looking = if looks { LOOKING } else { 0 };
        let searching = if searching { SEARCHING } else { 0 };
        self.add((SLEEPING + looking).wrapping_sub(searching));
        drop(asleep);
        // All threads see this before the caller's last look into the queues.
        atomic::fence(SeqCst);
        looks
    }
    // ANCHOR_END: sleep

    /// A worker no longer sleeps. Returns whether it has been woken by [`worker_to_wake`](Idle::worker_to_wake), and
    /// then it counts as searching.
    #[must_use]
    pub(crate) fn wake_up(&self, worker: usize, looking: bool) -> bool {
        let looking = if looking { LOOKING } else { 0 };
        let mut asleep = lock(&self.asleep);
        let woken = !asleep[worker];
        let sleeping = if woken { 0 } else { SLEEPING };
        asleep[worker] = false;
        self.add(0_u64.wrapping_sub(sleeping + looking));
        woken
    }

    /// Whether no sleeper looks up by itself, although there is a sleeper.
    pub(crate) fn nobody_looks(&self) -> bool {
        let counts = self.counts();
        number(counts, LOOKING) == 0 && number(counts, SLEEPING) != 0
    }

    fn counts(&self) -> u64 {
        self.counts.load(Relaxed)
    }

    #[track_caller]
    fn add(&self, change: u64) -> u64 {
        self.counts.fetch_add(change, Relaxed)
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

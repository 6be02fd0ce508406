//! Who sleeps, who searches, and who is woken.
//!
//! Three counts are in one word, so that all threads see their changes in one order:
//!
//! - *Sleeping*: workers that have announced that they sleep.
//! - *Checking*: those among them that sleep for a limited time, and then check whether another worker is stuck.
//! - *Searching*: workers that have nothing to poll and search in the queues of other workers. A woken sleeper counts as one
//!   at once.
//!
//! A thread that has put a task into the injector wakes a sleeper, and so does a worker in whose queue more than one waits,
//! unless a worker is searching. So a searcher that finds something has to find out whether there is more, and a worker that is
//! about to sleep has a *last look* into all queues *after* it has announced that. Both sides write something, then pass a
//! fence, and then read what the other side writes. One of the two fences comes first, and so at least one side sees what the
//! other has written. The accesses themselves need no order.

use std::fmt;

use crate::sync::atomic::{self, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use crate::sync::{Mutex, lock};

const SEARCHING: u64 = 1;
const SLEEPING: u64 = 1 << 16;
const CHECKING: u64 = 1 << 32;

/// How many sleepers wake up to check. One would be enough, but an event often wakes that very one.
const CHECKERS: u64 = 2;

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

    /// Called after a task that others may take has been put into a queue. Returns the worker that the caller must unpark.
    // ANCHOR: wake
    #[must_use]
    pub(crate) fn worker_to_wake(&self) -> Option<usize> {
        if !self.wants_a_searcher() {
            return None;
        }
        let mut asleep = lock(&self.asleep);
        // Another thread may have woken a worker before this one got the lock, and one searcher is enough.
        if !self.wants_a_searcher() {
            return None;
        }
        let worker = asleep.iter().position(|asleep| *asleep)?;
        asleep[worker] = false;
        // It counts as searching before it is awake, so that until then no push wakes another worker.
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
            // Others may have joined since the count was read. One searcher too many costs a search for nothing.
            self.add(SEARCHING);
        }
        may
    }

    /// A searcher has found something. Returns whether it was the last, and then it must wake another if there is more.
    #[must_use]
    pub(crate) fn stop_searching(&self) -> bool {
        let before = self.add(0_u64.wrapping_sub(SEARCHING));
        // A push either comes before the caller's next look, or sees that nobody searches any more and wakes a sleeper.
        atomic::fence(SeqCst);
        number(before, SEARCHING) == 1
    }
    // ANCHOR_END: search

    /// Announces that a worker sleeps, and no longer searches if it did. The caller then has a last look into all queues.
    /// Returns whether the worker has to wake up after some time to check on the others, and then it is counted as checking.
    /// It need not if it `has_checked` since it last polled a task, and all workers sleep now.
    // ANCHOR: sleep
    #[must_use]
    pub(crate) fn fall_asleep(&self, worker: usize, searching: bool, has_checked: bool) -> bool {
        let mut asleep = lock(&self.asleep);
        asleep[worker] = true;
        let counts = self.counts();
        let all = number(counts, SLEEPING) + 1 == asleep.len() as u64;
        let checks = number(counts, CHECKING) < CHECKERS && !(has_checked && all);
        let checking = if checks { CHECKING } else { 0 };
        let searching = if searching { SEARCHING } else { 0 };
        self.add((SLEEPING + checking).wrapping_sub(searching));
        drop(asleep);
        // A push that the caller's last look misses comes after this, so the thread that pushes sees the announcement.
        atomic::fence(SeqCst);
        checks
    }
    // ANCHOR_END: sleep

    /// A worker no longer sleeps. Returns whether it has been woken by [`worker_to_wake`](Idle::worker_to_wake), and
    /// then it counts as searching.
    #[must_use]
    pub(crate) fn wake_up(&self, worker: usize, checking: bool) -> bool {
        let checking = if checking { CHECKING } else { 0 };
        let mut asleep = lock(&self.asleep);
        // A timer, a socket or the end of its time may have woken this worker, and at the same moment another thread may have
        // chosen it. The thread that got the lock first has taken it off the list of sleepers.
        let woken = !asleep[worker];
        let sleeping = if woken { 0 } else { SLEEPING };
        asleep[worker] = false;
        self.add(0_u64.wrapping_sub(sleeping + checking));
        woken
    }

    /// Whether no sleeper checks on the other workers, although there is a sleeper.
    pub(crate) fn nobody_checks(&self) -> bool {
        let counts = self.counts();
        number(counts, CHECKING) == 0 && number(counts, SLEEPING) != 0
    }

    fn counts(&self) -> u64 {
        self.counts.load(Relaxed)
    }

    #[track_caller]
    fn add(&self, change: u64) -> u64 {
        self.counts.fetch_add(change, Relaxed)
    }
}

/// The count whose unit this is.
fn number(counts: u64, unit: u64) -> u64 {
    (counts / unit) % (1 << 16)
}

impl fmt::Debug for Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.counts();
        let [searching, sleeping, checking] =
            [SEARCHING, SLEEPING, CHECKING].map(|unit| number(counts, unit));
        write!(
            f,
            "{searching} searching, {sleeping} sleeping, {checking} checking"
        )
    }
}

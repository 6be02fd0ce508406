//! Who sleeps, who searches, and who is woken.
//!
//! Three counts are in one word, so that all threads see their changes in one order:
//!
//! - *Sleeping*: workers that have announced that they sleep.
//! - *Checking*: those among them that sleep for a limited time, and then check whether another worker is stuck.
//! - *Searching*: workers that have nothing to poll and search in the local queues of others. A woken sleeper counts as one
//!   at once.
//!
//! A thread that has put a task into the injector wakes a sleeper, and so does a worker in whose local queue more than one waits,
//! unless a worker is searching. So a searcher that finds something has to find out whether there is more, and a worker that is
//! about to sleep has a *last look* into all queues *after* it has announced that. Such a worker and the thread with a task for the
//! injector both write something, then pass a fence, and then read what the other side writes. One of the two fences comes first, and
//! so at least one side sees what the other has written. The accesses themselves need no order. A push into a local queue has no
//! fence: `worker/sleep.rs` says why that is enough.

use crate::metrics::IdleWorkers;
use crate::sync::atomic::{self, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use crate::sync::{Mutex, lock};

/// One worker more in each count. A count has 16 bits.
const SEARCHING: i64 = 1;
const SLEEPING: i64 = 1 << 16;
const CHECKING: i64 = 1 << 32;

/// How many sleepers wake up to check. One would be enough, but an event often wakes that very one.
const CHECKERS: usize = 2;

/// The workers that are idle, because they sleep or search.
#[repr(align(128))]
pub(crate) struct IdleSet {
    /// All three counts.
    word: AtomicU64,
    /// Which workers sleep. Locked while `SLEEPING` changes.
    asleep: Mutex<Box<[bool]>>,
}

impl IdleSet {
    pub(crate) fn new(workers: usize) -> IdleSet {
        IdleSet {
            word: AtomicU64::new(0),
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
        let wakes_up = Change {
            searching: 1,
            sleeping: -1,
            ..Change::default()
        };
        self.change(wakes_up);
        Some(worker)
    }
    // ANCHOR_END: wake

    // ANCHOR: wants
    fn wants_a_searcher(&self) -> bool {
        let counts = self.counts();
        counts.searching == 0 && counts.sleeping > 0
    }
    // ANCHOR_END: wants

    // ANCHOR: search
    /// A worker has nothing to poll. Returns `false` if half of the `workers` search already, and then it must not search.
    #[must_use]
    pub(crate) fn start_searching(&self, workers: usize) -> bool {
        let may = 2 * self.counts().searching < workers;
        if may {
            // Others may have joined since the count was read. One searcher too many costs a search for nothing.
            self.count_as_searching();
        }
        may
    }

    /// A worker that is awake searches from now on, however many do.
    pub(crate) fn count_as_searching(&self) {
        let joins = Change {
            searching: 1,
            ..Change::default()
        };
        self.change(joins);
    }

    /// A searcher has found something. Returns whether it was the last, and then it must wake another if there is more.
    #[must_use]
    pub(crate) fn stop_searching(&self) -> bool {
        let leaves = Change {
            searching: -1,
            ..Change::default()
        };
        let before = self.change(leaves);
        // A push either comes before the caller's next look, or sees that nobody searches any more and wakes a sleeper.
        atomic::fence(SeqCst);
        before.searching == 1
    }
    // ANCHOR_END: search

    /// Announces that a worker sleeps, and no longer searches if it did. The caller then has a last look into all queues.
    /// Returns whether the worker counts as checking, and so has to wake up after some time. It need not if enough sleepers do,
    /// or if it has checked before, and all workers sleep now.
    // ANCHOR: sleep
    #[must_use]
    pub(crate) fn fall_asleep(&self, worker: usize, before: BeforeSleep) -> bool {
        let mut asleep = lock(&self.asleep);
        asleep[worker] = true;
        let counts = self.counts();
        let all_sleep = counts.sleeping + 1 == asleep.len();
        let checks = counts.checking < CHECKERS && !(before.has_checked && all_sleep);
        let falls_asleep = Change {
            searching: -i64::from(before.is_searching),
            sleeping: 1,
            checking: i64::from(checks),
        };
        // ANCHOR: announce
        self.change(falls_asleep);
        drop(asleep);
        // If the caller's last look misses what `Shared::inject` has pushed, then this fence came
        // before the one there, and the thread that pushed sees the announcement.
        atomic::fence(SeqCst);
        // ANCHOR_END: announce
        checks
    }
    // ANCHOR_END: sleep

    /// A worker no longer sleeps. Returns whether it has been woken by [`worker_to_wake`](IdleSet::worker_to_wake), and
    /// then it counts as searching.
    #[must_use]
    pub(crate) fn wake_up(&self, worker: usize, checking: bool) -> bool {
        let mut asleep = lock(&self.asleep);
        // A timer, a socket or the end of its time may have woken this worker, and at the same moment another thread may have
        // chosen it. The thread that got the lock first has taken it off the list of sleepers.
        let woken = !asleep[worker];
        asleep[worker] = false;
        self.change(Change {
            searching: 0,
            sleeping: -i64::from(!woken),
            checking: -i64::from(checking),
        });
        woken
    }

    /// Whether no sleeper checks on the other workers, although there is a sleeper.
    pub(crate) fn nobody_checks(&self) -> bool {
        let counts = self.counts();
        counts.checking == 0 && counts.sleeping > 0
    }

    /// The three counts, all of the same moment.
    pub(crate) fn counts(&self) -> IdleWorkers {
        counts_in(self.word.load(Relaxed))
    }

    /// Changes the counts in one step, and returns what they were before.
    #[cfg_attr(recorded, track_caller)]
    fn change(&self, by: Change) -> IdleWorkers {
        let sum = by.searching * SEARCHING + by.sleeping * SLEEPING + by.checking * CHECKING;
        // `fetch_add` wraps around, so what is negative is subtracted.
        counts_in(self.word.fetch_add(sum as u64, Relaxed))
    }
}

/// What a worker has done since it last polled a task.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BeforeSleep {
    /// It is counted among the workers that search.
    pub(crate) is_searching: bool,
    /// It has woken up to check on the others.
    pub(crate) has_checked: bool,
}

/// What is added to each count.
#[derive(Default)]
struct Change {
    searching: i64,
    sleeping: i64,
    checking: i64,
}

fn counts_in(word: u64) -> IdleWorkers {
    let count = |one: i64| (word / one as u64 % (1 << 16)) as usize;
    IdleWorkers {
        searching: count(SEARCHING),
        sleeping: count(SLEEPING),
        checking: count(CHECKING),
    }
}

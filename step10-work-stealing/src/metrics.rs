//! What each worker has done, in numbers.

use crate::sync::atomic::{AtomicU64, Ordering};

/// What a worker has done since its runtime was started.
///
/// ```
/// use step10_work_stealing::Runtime;
///
/// let runtime = Runtime::new(1);
/// runtime.block_on(runtime.spawn(async {})).unwrap();
/// assert_eq!(runtime.metrics()[0].polls, 1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct WorkerMetrics {
    /// How many polls it has begun.
    pub polls: u64,
    /// How many of these were of a task from its LIFO slot.
    pub slot_polls: u64,
    /// How many times it has stolen from another worker.
    pub steals: u64,
    /// How many tasks it has got that way.
    pub stolen: u64,
    /// How many times it has slept. A sleep counts when it ends.
    pub sleeps: u64,
}

/// How many workers have nothing to poll, and what they do instead.
///
/// ```
/// use step10_work_stealing::Runtime;
///
/// let runtime = Runtime::new(4);
/// while runtime.handle().idle_workers().sleeping < 4 {
///     std::thread::yield_now();
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct IdleWorkers {
    /// How many look for tasks in other workers' local queues, or were woken to do so.
    pub searching: usize,
    /// How many sleep, or are about to.
    pub sleeping: usize,
    /// How many of the sleepers wake up after some time, to check whether another worker is stuck.
    pub checking: usize,
}

/// What is in [`WorkerMetrics`], as the worker counts it. It has its own cache lines, because the worker writes it at each poll.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Counts {
    pub(crate) polls: Count,
    pub(crate) slot_polls: Count,
    pub(crate) steals: Count,
    pub(crate) stolen: Count,
    pub(crate) sleeps: Count,
}

/// A number that one thread writes at a time, so that adding needs no read-modify-write.
#[derive(Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    #[cfg_attr(recorded, track_caller)]
    pub(crate) fn add(&self, more: u64) {
        self.0.store(self.get() + more, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counts {
    pub(crate) fn read(&self) -> WorkerMetrics {
        WorkerMetrics {
            polls: self.polls.get(),
            slot_polls: self.slot_polls.get(),
            steals: self.steals.get(),
            stolen: self.stolen.get(),
            sleeps: self.sleeps.get(),
        }
    }
}

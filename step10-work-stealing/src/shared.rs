//! What all threads share of a runtime: the queues, who sleeps, and the end.

use std::sync::Arc;

use crossbeam_deque::{Steal, Stealer};

use crate::sync::Mutex;
use crate::sync::atomic::{self, AtomicBool, Ordering::Relaxed, Ordering::SeqCst};
use crate::task::{List, Slot, Task};
use crate::{
    Park, Reactor, Version, budget::Budget, driver::TimeDriver, idle::IdleSet, injector::Injector,
    metrics::Counts, parking::Parking,
};

/// What the runtime, its handles, its workers and its tasks share.
pub(crate) struct Shared {
    pub(crate) version: Version,
    /// How much a task gets in one poll.
    pub(crate) budget: Budget,
    /// The tasks that come from outside.
    pub(crate) injector: Injector,
    /// What other threads may see and touch of each worker.
    pub(crate) workers: Box<[Arc<Remote>]>,
    pub(crate) idle: IdleSet,
    /// Where one worker at a time sleeps, and waits for timers and sockets.
    pub(crate) driver: Arc<TimeDriver>,
    /// Locked by the worker that is in the driver. Not beside what the workers read at each poll, because it changes often.
    pub(crate) driving: Box<Mutex<()>>,
    pub(crate) reactor: Option<Arc<Reactor>>,
    /// The unfinished tasks that have ever had to wait.
    pub(crate) waiting_tasks: List,
    /// Set once the runtime ends. A worker looks at this before each poll, and a thread that spawns a task after it has put the
    /// task somewhere.
    closed: AtomicBool,
}

/// What other threads may see and touch of a worker.
pub(crate) struct Remote {
    pub(crate) stealer: Stealer<Task>,
    pub(crate) parking: Parking,
    /// What the worker has woken last, and polls next.
    pub(crate) slot: Slot,
    pub(crate) counts: Counts,
}

impl Shared {
    pub(crate) fn new(
        version: Version,
        budget: Budget,
        stealers: impl Iterator<Item = Stealer<Task>>,
        driver: TimeDriver,
        reactor: Option<Arc<Reactor>>,
    ) -> Shared {
        let remote = |stealer| {
            Arc::new(Remote {
                stealer,
                parking: Parking::default(),
                slot: Slot::default(),
                counts: Counts::default(),
            })
        };
        let workers: Box<[Arc<Remote>]> = stealers.map(remote).collect();
        Shared {
            version,
            budget,
            injector: Injector::default(),
            idle: IdleSet::new(workers.len()),
            workers,
            driver: Arc::new(driver),
            driving: Box::default(),
            reactor,
            waiting_tasks: List::new(),
            closed: AtomicBool::new(false),
        }
    }

    /// Puts a task into the injector.
    // ANCHOR: inject
    pub(crate) fn inject(&self, task: Task) {
        self.injector.push(task);
        // A worker that misses this task in its last look has announced its sleep by now, so
        // `wake_one` sees it.
        atomic::fence(SeqCst);
        self.wake_one();
    }
    // ANCHOR_END: inject

    /// Wakes a sleeping worker, unless one is searching already. To be called after a task has been put into a queue.
    pub(crate) fn wake_one(&self) {
        if let Some(worker) = self.idle.worker_to_wake() {
            self.unpark(worker);
        }
    }

    fn unpark(&self, worker: usize) {
        if self.workers[worker].parking.unpark() {
            self.driver.unpark();
        }
    }

    /// Whether there is a task in a queue that every worker can take from.
    pub(crate) fn is_anything_queued(&self) -> bool {
        let can_be_stolen = |worker: &Arc<Remote>| !worker.stealer.is_empty();
        !self.injector.is_empty()
            || (self.version.steals() && self.workers.iter().any(can_be_stolen))
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Relaxed)
    }

    /// Ends the workers, and drops the future of every task that is not being polled.
    // ANCHOR: close
    pub(crate) fn close(&self) {
        self.closed.store(true, Relaxed);
        // A thread that spawns a task looks at the flag after it has put the task into a queue, and has a fence between the two.
        // So if it does not see the flag, its task is found below.
        atomic::fence(SeqCst);
        for worker in 0..self.workers.len() {
            self.unpark(worker);
        }
        // This queue is closed before any future is dropped. A destructor may wake a task while it holds a lock that the
        // destructor of that task's future needs. From now on such a wake puts the task nowhere, so no worker drops it at that
        // moment: the task is in the list, and has its turn here.
        let queued = self.injector.close();
        for task in self.waiting_tasks.close().into_iter().chain(queued) {
            task.shut_down();
        }
        // A poll that blocks its worker may wait for one of these, and the end waits for that poll.
        for worker in &self.workers {
            if let Some(task) = worker.slot.take() {
                task.shut_down();
            }
            while !worker.stealer.is_empty() {
                // The worker, or a thief, may have come first. Then this is `Retry` or `Empty`.
                if let Steal::Success(task) = worker.stealer.steal() {
                    task.shut_down();
                }
            }
        }
    }
    // ANCHOR_END: close
}

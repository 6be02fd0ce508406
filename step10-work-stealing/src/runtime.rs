//! The runtime: the workers, and how they begin and end. What is between `ANCHOR: carried-…` and its end is the same as in stage 08, or
//! for timers and sockets (`carried-close`) as in stage 09.

use std::{future::Future, rc::Rc, sync::Arc, thread};

use crossbeam_deque::Worker as Deque;

use crate::{
    Handle, JoinHandle, Park, Reactor, Version, WorkerMetrics,
    budget::Budget,
    contain::contain,
    context::{self, RunQueue},
    driver::TimeDriver,
    shared::Shared,
    task::Task,
    worker::Local,
};

#[cfg(target_os = "linux")]
use crate::Epoll as DefaultSelector;
#[cfg(not(target_os = "linux"))]
use crate::Polling as DefaultSelector;

/// Runs tasks on several threads, which are called its workers. They wait for timers and sockets themselves.
///
/// Dropping it is a [`shutdown`](Runtime::shutdown).
///
/// ```
/// use step10_work_stealing::Runtime;
///
/// let runtime = Runtime::new(2);
/// let handles: Vec<_> = (1..=10).map(|i| runtime.spawn(async move { i * i })).collect();
/// let sum = runtime.block_on(async {
///     let mut sum = 0;
///     for handle in handles {
///         sum += handle.await.unwrap();
///     }
///     sum
/// });
/// assert_eq!(sum, 385);
/// ```
#[derive(Debug)]
pub struct Runtime {
    handle: Handle,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Runtime {
    /// Starts a runtime with this number of worker threads.
    ///
    /// # Panics
    ///
    /// If `workers` is 0 or more than 65,535, or the system cannot start so many threads, or has no descriptors left for
    /// the runtime.
    pub fn new(workers: usize) -> Runtime {
        Runtime::with_version(workers, Version::default())
    }

    /// Starts a runtime whose scheduler has only what this version has.
    ///
    /// # Panics
    ///
    /// As [`new`](Runtime::new).
    pub fn with_version(workers: usize, version: Version) -> Runtime {
        Runtime::with_reactor(workers, version, Budget::Limited)
    }

    /// Starts a runtime whose tasks may get as much in one poll as they like.
    ///
    /// # Panics
    ///
    /// As [`new`](Runtime::new).
    pub fn without_budget(workers: usize) -> Runtime {
        Runtime::with_reactor(workers, Version::default(), Budget::Unlimited)
    }

    /// Starts a runtime with timers and no sockets. One of its workers sleeps in `park`, and the rest beside it.
    ///
    /// # Panics
    ///
    /// As [`new`](Runtime::new), but it needs no descriptors.
    pub fn with_park(workers: usize, version: Version, park: impl Park + 'static) -> Runtime {
        let driver = TimeDriver::new(park);
        Runtime::start(workers, version, Budget::Limited, driver, None)
    }

    fn with_reactor(workers: usize, version: Version, budget: Budget) -> Runtime {
        let selector = DefaultSelector::new().expect("descriptors for the runtime");
        let reactor = Arc::new(Reactor::new(selector));
        let driver = TimeDriver::new(Arc::clone(&reactor));
        Runtime::start(workers, version, budget, driver, Some(reactor))
    }

    fn start(
        workers: usize,
        version: Version,
        budget: Budget,
        driver: TimeDriver,
        reactor: Option<Arc<Reactor>>,
    ) -> Runtime {
        assert!(workers > 0, "a runtime needs at least one worker, not 0");
        assert!(workers < 1 << 16, "{workers} workers are more than 65,535");
        let deques: Vec<Deque<Task>> = (0..workers).map(|_| Deque::new_fifo()).collect();
        let stealers = deques.iter().map(Deque::stealer);
        let shared = Shared::new(version, budget, stealers, driver, reactor);
        let mut runtime = Runtime {
            handle: Handle(Arc::new(shared)),
            threads: Vec::new(),
        };
        for (number, deque) in deques.into_iter().enumerate() {
            let shared = Arc::clone(&runtime.handle.0);
            let work = move || work(shared, number, deque);
            let thread = thread::Builder::new().name("worker".to_owned()).spawn(work);
            runtime
                .threads
                .push(thread.expect("a thread for each worker"));
        }
        runtime
    }

    // ANCHOR: carried-spawn
    /// Returns a handle, which may be cloned, sent to other threads and moved into tasks.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Spawns a task. It runs whether its handle is awaited or not.
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.handle.spawn(future)
    }
    // ANCHOR_END: carried-spawn

    /// What each worker has done so far.
    pub fn metrics(&self) -> Vec<WorkerMetrics> {
        self.handle.metrics()
    }

    /// Runs a future to its end on the calling thread, while the workers run the tasks. The future need not be `Send`.
    ///
    /// # Panics
    ///
    /// If the future panics. Also if it is called by a worker, that is, inside a task: it would take the worker away from
    /// the tasks, and if all workers waited so, no worker would be left to run what they wait for.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.handle.block_on(future)
    }

    /// Drops the future of every unfinished task, and joins all threads. Each handle that waits for such a task gets an
    /// error, which says that the task was cancelled, or that the destructor of its future panicked.
    ///
    /// A task that is in a queue is not polled again once a spawn is refused. A future that is being polled is dropped when
    /// that poll has returned. `shutdown` waits for that. If it is called inside a task of this runtime, it does not wait
    /// for the worker that calls it, which ends after the poll.
    ///
    /// Timers and sockets end after the last poll. What still waits for one, such as a future in
    /// [`Handle::block_on`](crate::Handle::block_on), is woken: a [`sleep`](crate::time::sleep) that still has to wait
    /// panics, unless it lasts longer than any clock can show, and an operation on a socket fails.
    ///
    /// It hangs if a poll never returns, for example because it waits for a timer or a socket of this runtime; if the
    /// destructor of one task waits for another task of this runtime; and if two runtimes are shut down at the same time, each
    /// inside a task of the other.
    pub fn shutdown(self) {
        drop(self);
    }
}

/// What the thread of a worker does.
pub(crate) fn work(shared: Arc<Shared>, number: usize, deque: Deque<Task>) {
    let local = Rc::new(Local::new(shared, number, deque));
    let _entered = context::enter(RunQueue::Local(Rc::clone(&local)));
    local.work();
}

// ANCHOR: carried-default
impl Default for Runtime {
    /// Starts a runtime with a worker for each core.
    fn default() -> Runtime {
        Runtime::new(thread::available_parallelism().map_or(1, usize::from))
    }
}
// ANCHOR_END: carried-default

impl Drop for Runtime {
    fn drop(&mut self) {
        let shared = &self.handle.0;
        // A destructor may spawn, and then this runtime refuses the task.
        let _entered = context::enter(RunQueue::Injector(Arc::clone(shared)));
        shared.close();
        // A thread cannot wait for itself, and this may be a worker, in a task that has dropped the runtime.
        let this = thread::current().id();
        for worker in self.threads.drain(..) {
            if worker.thread().id() != this {
                let _ = worker.join(); // an error is a panic, and a worker contains those of its tasks
            }
        }
        // Only now, because until here a poll may have been running, for which a timer or a socket must not fail.
        // ANCHOR: carried-close
        let mut due = shared.driver.close();
        if let Some(reactor) = &shared.reactor {
            reactor.close(&mut due);
        }
        for waker in due {
            contain(|| waker.wake()); // it may panic, and there are others to wake
        }
        // ANCHOR_END: carried-close
    }
}

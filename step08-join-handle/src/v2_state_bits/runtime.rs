//! The runtime of version 2: the workers, and how they end.

use std::{future::Future, sync::Arc, thread};

use crate::{block_on::block_on, workers::Workers};

use super::{context, handle::Handle, join_handle::JoinHandle};

/// Runs tasks on several threads, which are called its workers.
///
/// Dropping it is a [`shutdown`](Runtime::shutdown).
///
/// ```
/// use step08_join_handle::Runtime;
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
    workers: Workers,
}

impl Runtime {
    /// Starts a runtime with this number of worker threads.
    ///
    /// # Panics
    ///
    /// If `workers` is 0, or the system cannot start so many threads.
    // ANCHOR: new
    pub fn new(workers: usize) -> Runtime {
        let runtime = Runtime {
            handle: Handle(Arc::default()),
            workers: Workers::default(),
        };
        let shared = Arc::clone(&runtime.handle.0);
        // ANCHOR: workers
        runtime.workers.start_all(workers, move || {
            let _entered = context::enter_as_worker(Arc::clone(&shared));
            while let Some(task) = shared.queue.pop() {
                task.run();
            }
        });
        // ANCHOR_END: workers
        runtime
    }
    // ANCHOR_END: new

    // ANCHOR: spawn
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
    // ANCHOR_END: spawn

    /// Runs a future to its end on the calling thread, while the workers run the tasks. The future need not be `Send`.
    ///
    /// # Panics
    ///
    /// If the future panics. Also if it is called by a worker, that is, inside a task: it would take the worker away from
    /// the tasks, and if all workers waited so, no worker would be left to run what they wait for.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        assert!(
            !context::is_worker(),
            "`block_on` was called inside a task, and would block its worker: use `.await`, or `spawn_blocking`"
        );
        let _entered = context::enter(Arc::clone(&self.handle.0));
        block_on(future)
    }

    /// Drops the future of every unfinished task, and joins all threads. Each handle that waits for such a task gets an
    /// error, which says that the task was cancelled, or that the destructor of its future panicked.
    ///
    /// A task that is in the queue is not polled again once a spawn is refused. A future that is being polled is dropped
    /// when that poll has returned, and a function on a blocking thread runs to its end. `shutdown` waits for both. If it
    /// is called inside a task or a blocking function of this runtime, it does not wait for the thread that calls it. That
    /// thread ends after the poll or the function.
    ///
    /// It hangs if a poll or such a function never returns; if the destructor of one task waits for another task of this
    /// runtime; and if two runtimes are shut down at the same time, each inside a task of the other.
    pub fn shutdown(self) {
        drop(self);
    }
}

// ANCHOR: default
impl Default for Runtime {
    /// Starts a runtime with a worker for each core.
    fn default() -> Runtime {
        Runtime::new(thread::available_parallelism().map_or(1, usize::from))
    }
}
// ANCHOR_END: default

// ANCHOR: drop
impl Drop for Runtime {
    fn drop(&mut self) {
        let shared = &self.handle.0;
        // A destructor may spawn. This runtime then refuses the task. Without this line, another
        // runtime would run it: the one that this thread works for, or the global one.
        let _entered = context::enter(Arc::clone(shared));
        shared.blocking.queue.close();
        shared.tasks.close(&shared.queue);
        self.workers.join();
        shared.tasks.close(&shared.queue); // what a worker had just taken from the queue
        shared.blocking.threads.join();
    }
}
// ANCHOR_END: drop

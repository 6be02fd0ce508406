//! What any thread may do with a runtime: spawn and wait. `time.rs` adds timers to that, and `registered.rs` descriptors.

use std::{fmt, future::Future, sync::Arc};

use futures_lite::future;

use crate::metrics::{IdleWorkers, WorkerMetrics};
use crate::sync::atomic::{self, Ordering};
use crate::task::{self, Why};
use crate::{
    JoinHandle,
    context::{self, RunQueue},
    shared::Shared,
};

/// Spawns tasks on a [`Runtime`](crate::Runtime), from any thread.
#[derive(Clone)]
pub struct Handle(pub(crate) Arc<Shared>);

impl Handle {
    /// Returns the runtime to which the calling thread belongs.
    ///
    /// # Panics
    ///
    /// If it belongs to none.
    pub(crate) fn current() -> Handle {
        Handle(context::runtime().expect(
            "there is no runtime on this thread: call this in a task or inside `Runtime::block_on`",
        ))
    }

    /// Spawns a task. If the runtime has been shut down, the future is dropped, and the handle says that the task was
    /// cancelled.
    // ANCHOR: spawn
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (task, handle) = task::spawn(future, Arc::clone(&self.0));
        task.schedule(Why::Woken);
        // `Shared::close` sets the flag before it looks into the queues, and this thread looks at
        // the flag after it has scheduled the task. With a fence on both sides, one of the two sees the other.
        atomic::fence(Ordering::SeqCst);
        if self.0.is_closed() {
            handle.shut_down();
        }
        handle
    }
    // ANCHOR_END: spawn

    /// Runs a future to its end on the calling thread, as [`Runtime::block_on`](crate::Runtime::block_on) does.
    ///
    /// # Panics
    ///
    /// If the future panics, or if it is called inside a task.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        assert!(
            !context::is_worker(),
            "`block_on` was called inside a task, and would block its worker: use `.await`"
        );
        let _entered = context::enter(RunQueue::Injector(Arc::clone(&self.0)));
        // The loop of stage 05, from a crate, because it has a parker for each thread rather than for each call.
        future::block_on(future)
    }

    /// How often a thread has locked the injector, to put a task there or to take some.
    pub fn injector_locks(&self) -> u64 {
        self.0.injector.locks.get()
    }

    /// What each worker has done so far.
    pub fn metrics(&self) -> Vec<WorkerMetrics> {
        let workers = self.0.workers.iter();
        workers.map(|worker| worker.counts.read()).collect()
    }

    /// How many workers have nothing to poll, and what they do instead.
    pub fn idle_workers(&self) -> IdleWorkers {
        self.0.idle.counts()
    }

    /// How many tasks have had to wait, and are not finished.
    ///
    /// ```
    /// use step10_work_stealing::Runtime;
    ///
    /// let runtime = Runtime::new(1);
    /// let waits = runtime.spawn(std::future::pending::<()>());
    /// while runtime.handle().waiting_tasks() == 0 {
    ///     std::thread::yield_now();
    /// }
    /// waits.abort();
    /// assert!(runtime.block_on(waits).unwrap_err().is_cancelled());
    /// ```
    pub fn waiting_tasks(&self) -> usize {
        self.0.waiting_tasks.len()
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("waiting_tasks", &self.waiting_tasks())
            .field("idle_workers", &self.idle_workers())
            .finish()
    }
}

/// Spawns a task on the runtime of the calling thread: inside a task, the runtime that polls it, and inside
/// [`Runtime::block_on`](crate::Runtime::block_on), that runtime.
///
/// # Panics
///
/// If there is no runtime for the calling thread.
///
/// ```
/// use step10_work_stealing::{Runtime, spawn};
///
/// let runtime = Runtime::new(2);
/// let answer = runtime.block_on(async { spawn(async { 6 * 7 }).await });
/// assert_eq!(answer.unwrap(), 42);
/// ```
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    Handle::current().spawn(future)
}

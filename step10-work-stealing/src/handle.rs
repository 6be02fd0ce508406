//! What any thread may do with a runtime: spawn, sleep, wait, and register a descriptor.

use std::{fmt, future::Future, io, sync::Arc, time::Duration};

use futures_lite::future;

use crate::sync::atomic::{self, Ordering};
use crate::task::{self, Why};
use crate::{
    JoinHandle, Registered, Sleep, WorkerMetrics, context, selector::AsIo, shared::Shared,
};

/// Spawns tasks on a [`Runtime`](crate::Runtime), from any thread.
#[derive(Clone)]
pub struct Handle(pub(crate) Arc<Shared>);

impl Handle {
    /// Spawns a task. If the runtime has been shut down, the future is dropped, and the handle says that the task was
    /// cancelled.
    // ANCHOR: spawn
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (task, handle) = task::spawn(future, Arc::clone(&self.0));
        let current = context::here();
        match current.as_ref().and_then(|it| it.worker_of(&self.0)) {
            None => self.0.inject(task),
            Some(worker) => {
                worker.push(task, Why::Woken);
                // `Shared::close` sets the flag before it looks into the queues, and this thread looks at
                // the flag after its push. With a fence on both sides, one of the two sees the other. The
                // injector has a lock for that.
                atomic::fence(Ordering::SeqCst);
            }
        }
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
            context::here().is_none_or(|current| current.worker.is_none()),
            "`block_on` was called inside a task, and would block its worker: use `.await`"
        );
        let _entered = context::enter(self.clone(), None);
        future::block_on(future)
    }

    /// Waits until `duration` has passed since this call, as [`sleep`](crate::time::sleep) does, on this runtime.
    pub fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(Arc::clone(&self.0.driver), duration)
    }

    /// Registers a non-blocking object with this runtime.
    ///
    /// # Errors
    ///
    /// If the system cannot watch it, or has no memory for it, or if the runtime has no reactor or has been shut down.
    pub fn register<T: AsIo + Send + Sync + 'static>(&self, io: T) -> io::Result<Registered<T>> {
        Registered::with(self, io, true)
    }

    /// How often a thread has locked the queue of all workers, to put a task there or to take some.
    pub fn injector_locks(&self) -> u64 {
        self.0.injector.locks.get()
    }

    /// What each worker has done so far.
    pub fn metrics(&self) -> Vec<WorkerMetrics> {
        self.0.workers.iter().map(|it| it.counts.read()).collect()
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = self.0.waiting.len();
        write!(f, "Handle({waiting} tasks wait, {:?})", self.0.idle)
    }
}

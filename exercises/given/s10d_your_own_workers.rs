//! What is given in s10d: a task, its handles, the threads, and the locks.

/// The checks have their own, which act between the last look and the sleep. The figures are of those of std.
#[cfg(any(test, feature = "checked"))]
#[path = "../checks/locks.rs"]
pub(crate) mod locks;

use super::{Runtime, Shared, WORKERS};
#[cfg(any(test, feature = "checked"))]
pub use locks::{Condvar, Mutex};
#[cfg(not(any(test, feature = "checked")))]
pub use std::sync::{Condvar, Mutex};

use futures::{FutureExt, channel::oneshot};
use std::{
    cell::Cell,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
};

/// To be polled: in a queue, or woken during its poll.
const SCHEDULED: usize = 1;
/// A worker polls it, or it is finished.
const RUNNING: usize = 2;

/// A task, with two of the bits of chapter 08.
pub(crate) struct Task {
    state: AtomicUsize,
    /// `None` once it is finished. Only the worker that has set `RUNNING` takes this lock.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    shared: Arc<Shared>,
}

impl Task {
    /// Polls the task once. Called by the worker that has taken it from a queue.
    pub(crate) fn run(self: Arc<Self>) {
        // SCHEDULED was set, and RUNNING was not. Changes both.
        self.state.fetch_xor(SCHEDULED | RUNNING, SeqCst);
        let waker = Waker::from(Arc::clone(&self));
        let mut slot = self.future.lock().unwrap();
        let future = slot.as_mut().expect("it is not finished");
        let mut cx = Context::from_waker(&waker);
        // A destructor may panic, in the poll or when the task is finished. The worker has other tasks.
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut cx)));
        if !matches!(polled, Ok(Poll::Pending)) {
            let finished = slot.take();
            let _ = catch_unwind(AssertUnwindSafe(|| drop(finished)));
            // It keeps RUNNING, so no wake puts it into a queue.
            return;
        }
        drop(slot);
        if self.state.fetch_and(!RUNNING, SeqCst) & SCHEDULED != 0 {
            let shared = Arc::clone(&self.shared);
            shared.push(self);
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if self.state.fetch_or(SCHEDULED, SeqCst) & (SCHEDULED | RUNNING) == 0 {
            let shared = Arc::clone(&self.shared);
            shared.push(self);
        }
    }
}

/// The output of the task, or its panic. An error means that the runtime has dropped the task.
pub(crate) type JoinHandle<T> = oneshot::Receiver<thread::Result<T>>;

/// Spawns, also when the runtime is gone. Then the task is dropped.
#[derive(Clone)]
pub(crate) struct Handle(pub(crate) Arc<Shared>);

impl Handle {
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (tell, told) = oneshot::channel();
        let future = async {
            let output = AssertUnwindSafe(future).catch_unwind().await;
            let _ = tell.send(output); // nobody may be waiting
        };
        let task = Arc::new(Task {
            state: AtomicUsize::new(0),
            future: Mutex::new(Some(Box::pin(future))),
            shared: Arc::clone(&self.0),
        });
        task.wake();
        told
    }
}

thread_local! {
    /// The address of the runtime whose worker this thread is, and the number of the worker.
    static WORKER: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

fn address(shared: &Shared) -> usize {
    std::ptr::from_ref(shared).addr()
}

/// Starts the threads that do the work.
pub(crate) fn start(shared: &Arc<Shared>) -> Vec<thread::JoinHandle<()>> {
    let worker = |number| {
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            WORKER.set((address(&shared), number));
            shared.work(number);
        })
    };
    (0..WORKERS).map(worker).collect()
}

/// The number of the worker that calls this, if it is one of this runtime.
pub(crate) fn worker(shared: &Shared) -> Option<usize> {
    let (runtime, number) = WORKER.get();
    (runtime == address(shared)).then_some(number)
}

/// The runtime, as `examples/s10d_figures.rs` calls it.
#[derive(Clone)]
pub(crate) struct Mine(Arc<Runtime>);

impl Mine {
    pub(crate) fn new() -> Mine {
        Mine(Arc::new(Runtime::new()))
    }

    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.0.handle.spawn(future)
    }
}

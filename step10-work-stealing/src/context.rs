//! On which runtime is this thread, and as which of its workers? So that `spawn`, `sleep` and a socket need no handle, and
//! so that a task that is woken by a worker goes to that worker's local queue.
//!
//! Stage 09's file of this name answers the first question alone. Nothing of it is carried: a thread has one handle there, and here it
//! has a runtime that several threads share, and perhaps a worker's local queue.

use std::{cell::RefCell, future::Future, rc::Rc, sync::Arc};

use crate::task::{List, Schedule, Task, Why};
use crate::{Handle, JoinHandle, shared::Shared, sync::thread_local, worker::Local};

/// What the calling thread belongs to.
pub(crate) struct Current {
    pub(crate) runtime: Arc<Shared>,
    /// What the worker has for itself, if the thread is a worker.
    pub(crate) worker: Option<Rc<Local>>,
}

thread_local! {
    static CURRENT: RefCell<Option<Current>> = const { RefCell::new(None) };
}

/// Calls `f` with what the calling thread belongs to, if it belongs to a runtime.
fn with_current<T>(f: impl FnOnce(&Current) -> Option<T>) -> Option<T> {
    // While the thread ends, its variable has been dropped already, and it belongs to no runtime any more.
    let returned = CURRENT.try_with(|current| current.borrow().as_ref().and_then(f));
    returned.ok().flatten()
}

/// Whether the calling thread is a worker of any runtime.
pub(crate) fn is_worker() -> bool {
    with_current(|current| current.worker.as_ref().map(|_| ())).is_some()
}

/// Where the calling thread puts the tasks of a runtime.
pub(crate) enum RunQueue {
    /// The thread is a worker of that runtime, so they go into its slot or its local queue.
    Local(Rc<Local>),
    /// It is not, so they go into the injector.
    Injector(Arc<Shared>),
}

impl Schedule for Shared {
    type RunQueue = RunQueue;

    // ANCHOR: schedule
    fn run_queue(self: &Arc<Self>) -> RunQueue {
        let local = with_current(|current| {
            let worker = current.worker.as_ref()?;
            Arc::ptr_eq(&worker.shared, self).then(|| Rc::clone(worker))
        });
        match local {
            Some(worker) => RunQueue::Local(worker),
            None => RunQueue::Injector(Arc::clone(self)),
        }
    }

    fn schedule(run_queue: RunQueue, task: Task, why: Why) {
        match run_queue {
            RunQueue::Local(worker) => worker.schedule(task, why),
            RunQueue::Injector(shared) => shared.inject(task),
        }
    }
    // ANCHOR_END: schedule

    fn waiting_tasks(&self) -> &List {
        &self.waiting_tasks
    }
}

/// Returns the runtime to which the calling thread belongs.
///
/// # Panics
///
/// If it belongs to none.
pub(crate) fn current() -> Handle {
    let runtime = with_current(|current| Some(Arc::clone(&current.runtime)));
    Handle(runtime.expect(
        "there is no runtime on this thread: call this in a task or inside `Runtime::block_on`",
    ))
}

/// Makes this the runtime of the calling thread, until the result is dropped.
pub(crate) fn enter(runtime: Arc<Shared>, worker: Option<Rc<Local>>) -> Entered {
    Entered(replace(Some(Current { runtime, worker })))
}

/// Restores what the thread belonged to before.
pub(crate) struct Entered(Option<Current>);

impl Drop for Entered {
    fn drop(&mut self) {
        drop(replace(self.0.take()));
    }
}

/// Returns what the thread belonged to before. While a thread ends, that is nothing.
fn replace(current: Option<Current>) -> Option<Current> {
    let before = CURRENT.try_with(|place| place.replace(current));
    before.ok().flatten()
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
    current().spawn(future)
}

//! The runtime to which a thread belongs, and if the thread is a worker, its local queue. Because a thread knows the first, `spawn`,
//! `sleep` and a socket need no handle. Because it knows the second, a task that a worker wakes goes into that worker's local queue.
//!
//! Stage 09's file of this name has the runtime alone, which is a handle there. Nothing of it is carried.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use crate::task::{List, Schedule, Task, Why};
use crate::{shared::Shared, sync::thread_local, worker::Local};

/// Where a thread puts the tasks of the runtime to which it belongs.
pub(crate) enum RunQueue {
    /// A worker puts them into its slot or its local queue.
    Local(Rc<Local>),
    /// Any other thread puts them into the injector.
    Injector(Arc<Shared>),
}

thread_local! {
    static CURRENT: RefCell<Option<RunQueue>> = const { RefCell::new(None) };
}

/// Calls `f` with the run queue of the calling thread, if the thread belongs to a runtime.
fn with_current<T>(f: impl FnOnce(&RunQueue) -> Option<T>) -> Option<T> {
    // While the thread ends, its variable has been dropped already, and it belongs to no runtime any more.
    let returned = CURRENT.try_with(|current| current.borrow().as_ref().and_then(f));
    returned.ok().flatten()
}

/// Returns the runtime to which the calling thread belongs, if there is one.
pub(crate) fn runtime() -> Option<Arc<Shared>> {
    with_current(|current| {
        let shared = match current {
            RunQueue::Local(worker) => &worker.shared,
            RunQueue::Injector(shared) => shared,
        };
        Some(Arc::clone(shared))
    })
}

/// Whether the calling thread is a worker of any runtime.
pub(crate) fn is_worker() -> bool {
    with_current(|current| Some(matches!(current, RunQueue::Local(_)))) == Some(true)
}

impl Schedule for Shared {
    type RunQueue = RunQueue;

    // ANCHOR: run_queue
    // The thread may be a worker of another runtime.
    fn run_queue(self: &Arc<Self>) -> RunQueue {
        let worker = with_current(|current| match current {
            RunQueue::Local(worker) if Arc::ptr_eq(&worker.shared, self) => Some(Rc::clone(worker)),
            _ => None,
        });
        match worker {
            Some(worker) => RunQueue::Local(worker),
            None => RunQueue::Injector(Arc::clone(self)),
        }
    }
    // ANCHOR_END: run_queue

    fn schedule(run_queue: RunQueue, task: Task, why: Why) {
        match run_queue {
            RunQueue::Local(worker) => worker.schedule(task, why),
            RunQueue::Injector(shared) => shared.inject(task),
        }
    }

    fn waiting_tasks(&self) -> &List {
        &self.waiting_tasks
    }
}

/// Makes this the run queue of the calling thread, until the result is dropped.
pub(crate) fn enter(run_queue: RunQueue) -> Entered {
    Entered(replace(Some(run_queue)))
}

/// Restores the run queue that the thread had before.
pub(crate) struct Entered(Option<RunQueue>);

impl Drop for Entered {
    fn drop(&mut self) {
        drop(replace(self.0.take()));
    }
}

/// Returns the run queue that the thread had before. While a thread ends, it has none.
fn replace(current: Option<RunQueue>) -> Option<RunQueue> {
    let before = CURRENT.try_with(|place| place.replace(current));
    before.ok().flatten()
}

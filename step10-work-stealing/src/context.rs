//! On which runtime is this thread, and as which of its workers? So that `spawn`, `sleep` and a socket need no handle, and
//! so that a task that is woken by a worker goes to that worker's local queue.
//!
//! Stage 09's file of this name answers the first question alone. Nothing of it is carried: a thread has one handle there, and here it
//! has a runtime that several threads share, and perhaps a worker's local queue.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use crate::task::{List, Schedule, Task, Why};
use crate::{shared::Shared, sync::thread_local, worker::Local};

/// Where a thread puts the tasks of the runtime to which it belongs.
#[derive(Clone)]
pub(crate) enum RunQueue {
    /// A worker puts them into its slot or its local queue.
    Local(Rc<Local>),
    /// Any other thread puts them into the injector.
    Injector(Arc<Shared>),
}

impl RunQueue {
    pub(crate) fn runtime(&self) -> &Arc<Shared> {
        match self {
            RunQueue::Local(worker) => &worker.shared,
            RunQueue::Injector(shared) => shared,
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Option<RunQueue>> = const { RefCell::new(None) };
}

/// Returns the run queue of the calling thread, if the thread belongs to a runtime.
pub(crate) fn current() -> Option<RunQueue> {
    // While the thread ends, its variable has been dropped already, and it belongs to no runtime any more.
    let current = CURRENT.try_with(|current| current.borrow().clone());
    current.ok().flatten()
}

/// Whether the calling thread is a worker of any runtime.
pub(crate) fn is_worker() -> bool {
    matches!(current(), Some(RunQueue::Local(_)))
}

impl Schedule for Shared {
    type RunQueue = RunQueue;

    // ANCHOR: schedule
    fn run_queue(self: &Arc<Self>) -> RunQueue {
        match current() {
            Some(run_queue) if Arc::ptr_eq(run_queue.runtime(), self) => run_queue,
            // The thread belongs to another runtime or to none.
            _ => RunQueue::Injector(Arc::clone(self)),
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

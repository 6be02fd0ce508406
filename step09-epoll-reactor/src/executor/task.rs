//! A task, and what it shares with the other tasks of its runtime. As in stage 07, a waker refers to its future by a number.

use std::sync::Arc;
use std::task::Wake;

use crate::{Queued, Reactor, time::driver::TimeDriver};

use super::{park::Park, queue::Queue, tasks::Tasks};

/// What the runtime, its handles and its tasks share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The tasks that were woken and not polled since.
    pub(crate) queue: Queue<Arc<Task>>,
    pub(crate) tasks: Tasks,
    /// Where the executor sleeps.
    pub(crate) driver: Arc<TimeDriver>,
    /// Where sockets are registered. Versions 0 and 1 have none.
    pub(crate) reactor: Option<Arc<Reactor>>,
}

/// What a waker points to. It names the future by its number and does not own it.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) id: u64,
    /// Whether the task is in the queue already.
    pub(crate) queued: Queued,
    shared: Arc<Shared>,
}

impl Task {
    pub(crate) fn new(id: u64, shared: Arc<Shared>) -> Arc<Task> {
        Arc::new(Task {
            id,
            queued: Queued::no(),
            shared,
        })
    }

    // ANCHOR: schedule
    pub(crate) fn schedule(self: &Arc<Self>) {
        let shared = &self.shared;
        // Of many threads that wake this task before its next poll, one sets the flag. Of many
        // that push a task while the executor sleeps, one has to unpark it.
        if self.queued.set() && shared.queue.push(Arc::clone(self)) {
            shared.driver.unpark();
        }
    }
    // ANCHOR_END: schedule
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.schedule();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.schedule();
    }
}

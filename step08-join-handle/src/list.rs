//! The list of a runtime's unfinished tasks, so that the end of the runtime finds them.

use std::{
    collections::BTreeMap,
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll},
};

use pin_project_lite::pin_project;

const UNPOISONED: &str = "no code panics while it holds this lock";

/// The tasks whose futures have not been dropped, each under a number.
// ANCHOR: struct
pub(crate) struct List<E>(Mutex<Tasks<E>>);

struct Tasks<E> {
    unfinished: BTreeMap<u64, E>,
    next_id: u64,
    /// Whether the runtime ends. Then no task is accepted any more.
    closed: bool,
}
// ANCHOR_END: struct

impl<E: Clone> List<E> {
    /// Makes a future that takes its task out of this list when it is dropped. Also returns the number of the task.
    pub(crate) fn wrap<F>(self: &Arc<Self>, future: F) -> (Listed<F, E>, u64) {
        let id = {
            let mut tasks = self.tasks();
            tasks.next_id += 1;
            tasks.next_id
        };
        let unlist = Unlist(Arc::clone(self), id);
        (Listed { future, unlist }, id)
    }

    /// Adds a task. `false`: the list is closed, and the task was not added.
    // ANCHOR: insert
    pub(crate) fn insert(&self, id: u64, task: E) -> bool {
        let mut tasks = self.tasks();
        if tasks.closed {
            return false; // drops the guard, then `task`
        }
        tasks.unfinished.insert(id, task);
        true
    }
    // ANCHOR_END: insert

    /// Accepts no more tasks, and returns those that are unfinished.
    pub(crate) fn close(&self) -> Vec<E> {
        let mut tasks = self.tasks();
        tasks.closed = true;
        tasks.unfinished.values().cloned().collect()
    }

    /// Whether the list is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.tasks().closed
    }

    /// Whether the list is closed, and all its tasks are finished.
    pub(crate) fn is_done(&self) -> bool {
        let tasks = self.tasks();
        tasks.closed && tasks.unfinished.is_empty()
    }
}

impl<E> List<E> {
    fn tasks(&self) -> MutexGuard<'_, Tasks<E>> {
        self.0.lock().expect(UNPOISONED)
    }
}

impl<E> Default for List<E> {
    fn default() -> Self {
        List(Mutex::new(Tasks {
            unfinished: BTreeMap::new(),
            next_id: 0,
            closed: false,
        }))
    }
}

// ANCHOR: listed
pin_project! {
    /// A future that takes its task out of the list when it is dropped.
    pub(crate) struct Listed<F, E> {
        #[pin]
        future: F,
        // The second field, because fields are dropped in their order.
        unlist: Unlist<E>,
    }
}

struct Unlist<E>(Arc<List<E>>, u64);

impl<E> Drop for Unlist<E> {
    fn drop(&mut self) {
        let task = self.0.tasks().unfinished.remove(&self.1);
        drop(task); // after the lock is released, because it may contain a waker
    }
}
// ANCHOR_END: listed

impl<F: Future, E> Future for Listed<F, E> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.project().future.poll(cx)
    }
}

impl<E> fmt::Debug for List<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unfinished = self.tasks().unfinished.len();
        write!(f, "{unfinished} unfinished tasks")
    }
}

//! The list of a runtime's unfinished tasks, so that the end of the runtime finds them.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use pin_project_lite::pin_project;
use slab::Slab;

use crate::{lock::lock, sync::Mutex};

/// The tasks whose futures have not been dropped, each under a key that may be used again.
// ANCHOR: struct
pub(crate) struct List<E>(Mutex<Tasks<E>>);

struct Tasks<E> {
    unfinished: Slab<E>,
    /// Whether the runtime ends. Then no task is accepted any more.
    closed: bool,
}
// ANCHOR_END: struct

impl<E> List<E> {
    /// Has `spawn` make a task out of the future, and adds its first result to this list, which the future leaves when it
    /// is dropped. Returns the second result, and `false` if the list is closed, so that nothing was added.
    // ANCHOR: insert
    pub(crate) fn insert<F, R>(
        self: &Arc<Self>,
        future: F,
        spawn: impl FnOnce(Listed<F, E>) -> (E, R),
    ) -> (R, bool) {
        let mut tasks = lock(&self.0);
        let closed = tasks.closed;
        let entry = tasks.unfinished.vacant_entry();
        let unlist = Unlist(Arc::clone(self), entry.key());
        let (task, rest) = spawn(Listed { future, unlist });
        if closed {
            drop(tasks); // before `task`
        } else {
            entry.insert(task);
        }
        (rest, !closed)
    }
    // ANCHOR_END: insert

    /// Accepts no more tasks. Returns what `of_each` returns for each task that is unfinished. `of_each` is called under the
    /// lock, so no spawn is refused before it has been called for all of them.
    pub(crate) fn close<R>(&self, of_each: impl Fn(&E) -> R) -> Vec<R> {
        let mut tasks = lock(&self.0);
        tasks.closed = true;
        let unfinished = tasks.unfinished.iter();
        unfinished.map(|(_, task)| of_each(task)).collect()
    }

    /// Whether the list is closed.
    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.0).closed
    }

    /// Whether the list is closed, and all its tasks are finished.
    pub(crate) fn is_done(&self) -> bool {
        let tasks = lock(&self.0);
        tasks.closed && tasks.unfinished.is_empty()
    }
}

impl<E> Default for List<E> {
    fn default() -> Self {
        List(Mutex::new(Tasks {
            unfinished: Slab::new(),
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

struct Unlist<E>(Arc<List<E>>, usize);

impl<E> Drop for Unlist<E> {
    fn drop(&mut self) {
        // Not there if the list was closed: then no task was ever added under this key.
        let task = lock(&self.0.0).unfinished.try_remove(self.1);
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
        let unfinished = lock(&self.0).unfinished.len();
        write!(f, "{unfinished} unfinished tasks")
    }
}

#[cfg(test)]
impl<E> List<E> {
    /// As long as the result lives, nobody can close the list, or see that it is closed.
    pub(crate) fn hold(&self) -> impl Sized {
        lock(&self.0)
    }

    /// Whether a thread has the lock.
    pub(crate) fn is_held(&self) -> bool {
        self.0.try_lock().is_err()
    }
}

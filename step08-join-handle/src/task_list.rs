//! The list of a runtime's unfinished tasks, so that its end finds those that wait for a wake.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use pin_project_lite::pin_project;
use slab::Slab;

use crate::{
    Queue,
    lock::lock,
    sync::{Mutex, MutexGuard},
};

/// A waker of each task whose future has not been dropped, under a key that may be used again.
#[derive(Default)]
pub(crate) struct TaskList(Mutex<Slab<Waker>>);

impl TaskList {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Slab<Waker>> {
        lock(&self.0)
    }

    /// Cancels the tasks of this list by closing their queue, because an item that is dropped there cancels its task. No task
    /// is taken from the queue any more. One that a worker has just taken is still polled, and may wait for a wake after that,
    /// so call this once more when the workers have ended.
    // ANCHOR: close
    pub(crate) fn close<T>(&self, queue: &Queue<T>) {
        queue.stop();
        // Each task that waits for a wake now gets into the queue, and a task that a worker is
        // polling does so after its poll. A task that is in the queue already is not woken by the
        // end of another one, so none is dropped inside of another.
        let wakers: Vec<_> = self.lock().iter().map(|(_, it)| it.clone()).collect();
        wakers.into_iter().for_each(Waker::wake);
        queue.close();
    }
    // ANCHOR_END: close
}

// ANCHOR: remove
pin_project! {
    /// A future that takes its task out of the list when it is dropped.
    pub(crate) struct RemoveOnDrop<F> {
        #[pin]
        future: F,
        list: Arc<TaskList>,
        key: usize,
    }

    impl<F> PinnedDrop for RemoveOnDrop<F> {
        fn drop(this: Pin<&mut Self>) {
            // Under the lock, because the thread that drops the future has a reference to the
            // task too. So this waker is not the last one.
            this.list.lock().try_remove(this.key);
        }
    }
}
// ANCHOR_END: remove

impl<F> RemoveOnDrop<F> {
    pub(crate) fn new(future: F, list: &Arc<TaskList>, key: usize) -> RemoveOnDrop<F> {
        let list = Arc::clone(list);
        RemoveOnDrop { future, list, key }
    }
}

impl<F: Future> Future for RemoveOnDrop<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.project().future.poll(cx)
    }
}

impl fmt::Debug for TaskList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unfinished = self.lock().len();
        write!(f, "{unfinished} unfinished tasks")
    }
}

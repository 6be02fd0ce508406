//! The handle of a task: a future that waits for the task's last state.

use std::{
    fmt,
    future::Future,
    mem,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use crate::{JoinError, Queue, contain::contain, lock::lock};

use super::{runnable::Runnable, task::Task};

/// Waits for a task, and returns its result.
///
/// Any task may await it, one of another runtime too, and so may any `block_on`. Dropping it *detaches* the task, which
/// runs on. Its result is then dropped.
///
/// ```
/// use step08_join_handle::Runtime;
///
/// let runtime = Runtime::new(2);
/// let six = runtime.spawn(async { 6 });
/// let answer = runtime.spawn(async { six.await.unwrap() * 7 });
/// assert_eq!(runtime.block_on(answer).unwrap(), 42);
///
/// let endless = runtime.spawn(std::future::pending::<()>());
/// endless.abort();
/// assert!(runtime.block_on(endless).unwrap_err().is_cancelled());
///
/// let panics = runtime.spawn(async { panic!("no answer") });
/// let error = runtime.block_on(panics).unwrap_err();
/// assert_eq!(error.to_string(), "the task panicked: no answer");
/// assert_eq!(*error.into_panic().downcast::<&str>().unwrap(), "no answer");
/// ```
pub struct JoinHandle<T>(pub(super) Arc<Task<T>>);

/// Makes a task without a runtime, as the crate async-task does: a future, and the queue in which its wakers put it.
///
/// The task is not in the queue yet. The caller puts it there once, and from then on, its wakers do. A task keeps its queue alive, and
/// the queue keeps the tasks that are in it, so close the queue when you no longer use it.
///
/// ```
/// use std::sync::Arc;
/// use step08_join_handle::{Queue, spawn_on};
///
/// let queue = Arc::new(Queue::new());
/// let (runnable, handle) = spawn_on(&queue, async { 6 * 7 });
/// queue.push(runnable);
/// queue.pop().unwrap().run();
/// assert_eq!(futures::executor::block_on(handle).unwrap(), 42);
/// ```
pub fn spawn_on<T: Send + 'static>(
    queue: &Arc<Queue<Runnable>>,
    future: impl Future<Output = T> + Send + 'static,
) -> (Runnable, JoinHandle<T>) {
    let task = Arc::new(Task::new(Arc::clone(queue), future));
    (task.to_runnable(), JoinHandle(task))
}

impl<T> JoinHandle<T> {
    /// Whether the task is finished, which means that its future has been dropped, and an await of this handle is ready.
    pub fn is_finished(&self) -> bool {
        self.0.state.is_finished()
    }

    /// The names of the bits that are set in the [state](crate::v2_state_bits::state) of the task, for those who watch it.
    pub fn bits(&self) -> Vec<&'static str> {
        self.0.state.bits()
    }
}

impl<T: Send + 'static> JoinHandle<T> {
    /// Cancels the task. A worker drops its future, and never polls it again.
    ///
    /// If a worker is polling the task, that worker drops the future when the poll has returned `Pending`. If the poll
    /// returns `Ready`, the output comes first, and the abort has no effect. It has none on a finished task either.
    pub fn abort(&self) {
        self.0.abort();
    }
}

/// # Panics
///
/// If it is polled again after it was ready.
impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    // ANCHOR: poll
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let task = &self.0;
        if !task.state.is_finished() {
            let waker = cx.waker().clone();
            self.replace_waiting(Some(waker));
            // The task may have finished since, without seeing this waker.
            if !task.state.wait() {
                return Poll::Pending;
            }
            self.replace_waiting(None); // it may never be called
        }
        let result = task.take_result();
        Poll::Ready(result.expect("a `JoinHandle` was polled again after it was ready"))
    }
    // ANCHOR_END: poll
}

impl<T> JoinHandle<T> {
    /// Stores the waker of a poll in place of the earlier one, which is dropped. If that panics, nothing else is disturbed.
    fn replace_waiting(&self, waker: Option<Waker>) {
        let earlier = mem::replace(&mut *lock(&self.0.waiting), waker);
        contain(|| drop(earlier));
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        // The worker that finishes the task may have taken this waker already, and calls it.
        self.replace_waiting(None);
        if self.0.state.detach() {
            let result = self.0.take_result();
            contain(|| drop(result));
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JoinHandle({:?})", self.0.state)
    }
}

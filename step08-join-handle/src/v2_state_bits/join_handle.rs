//! The handle of a task: a future that waits for the task's last state.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use crate::{JoinError, contain::contain};

use super::task::Task;

/// Waits for a task, and gives out its result.
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
pub struct JoinHandle<T> {
    task: Arc<Task<T>>,
}

impl<T> JoinHandle<T> {
    pub(super) fn new(task: Arc<Task<T>>) -> JoinHandle<T> {
        JoinHandle { task }
    }

    /// Whether the task is finished, which means that its future has been dropped, and an await of this handle is ready.
    pub fn is_finished(&self) -> bool {
        self.task.state.is_finished()
    }
}

impl<T: Send + 'static> JoinHandle<T> {
    /// Cancels the task. A worker drops its future, and never polls it again.
    ///
    /// If a worker is polling the task, that worker drops the future when the poll has returned `Pending`. If the poll
    /// returns `Ready`, the output comes first, and the abort has no effect. It has none on a finished task either.
    pub fn abort(&self) {
        if self.task.state.abort() {
            self.task.schedule();
        }
    }
}

/// # Panics
///
/// If it is polled again after it was ready.
impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    // ANCHOR: poll
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if !self.task.state.is_finished() {
            let waker = cx.waker().clone();
            self.task.replace_waiting(Some(waker));
            // The task may have finished since, without seeing this waker.
            if !self.task.state.wait() {
                return Poll::Pending;
            }
            self.task.replace_waiting(None); // it may never be called
        }
        let result = self.task.take_result();
        Poll::Ready(result.expect("a `JoinHandle` was polled again after it was ready"))
    }
    // ANCHOR_END: poll
}

// ANCHOR: drop
impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        self.task.replace_waiting(None);
        if self.task.state.detach() {
            let result = self.task.take_result();
            contain(|| drop(result));
        }
    }
}
// ANCHOR_END: drop

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JoinHandle({:?})", self.task.state)
    }
}

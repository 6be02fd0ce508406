//! A spawned future: polled until it is finished, dropped at that moment, and never polled again.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use crate::contain::contain;

/// A future in a box, until it is finished.
///
/// Its panics stay with it, in `poll` and in its destructor. The message is printed, and no other task is affected.
// ANCHOR: struct
pub struct TaskFuture(Option<Pin<Box<dyn Future<Output = ()> + Send>>>);
// ANCHOR_END: struct

impl TaskFuture {
    /// Takes a future without polling it.
    pub fn new(future: impl Future<Output = ()> + Send + 'static) -> TaskFuture {
        TaskFuture(Some(Box::pin(future)))
    }

    /// Polls the future, and drops it once it is finished. A future that panics is finished. After that, every poll
    /// is ready.
    // ANCHOR: poll
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(future) = &mut self.0 else {
            return Poll::Ready(());
        };
        let answer = contain(|| future.as_mut().poll(cx)).unwrap_or(Poll::Ready(()));
        if answer.is_ready() {
            self.drop_future();
        }
        answer
    }

    fn drop_future(&mut self) {
        let future = self.0.take();
        contain(|| drop(future));
    }
    // ANCHOR_END: poll
}

impl Drop for TaskFuture {
    fn drop(&mut self) {
        self.drop_future();
    }
}

impl fmt::Debug for TaskFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TaskFuture").finish_non_exhaustive()
    }
}

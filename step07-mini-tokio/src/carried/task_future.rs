//! A future that somebody spawned: polled until it is finished, dropped at that moment, never polled again.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use crate::contain::contain;

/// A future in a box, until it is finished.
///
/// Its panics stay with it, in `poll` and in its destructor: the message is printed, and nobody else is harmed.
pub struct TaskFuture(Option<Pin<Box<dyn Future<Output = ()> + Send>>>);

impl TaskFuture {
    /// Takes a future, and does not poll it yet.
    pub fn new(future: impl Future<Output = ()> + Send + 'static) -> TaskFuture {
        TaskFuture(Some(Box::pin(future)))
    }

    /// Polls the future; when it is finished, drops it. One that panics is finished. A finished one stays ready.
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
    // ANCHOR_END: poll

    fn drop_future(&mut self) {
        let future = self.0.take();
        contain(|| drop(future));
    }
}

impl Drop for TaskFuture {
    fn drop(&mut self) {
        self.drop_future();
    }
}

impl fmt::Debug for TaskFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "unfinished"
        } else {
            "finished"
        })
    }
}

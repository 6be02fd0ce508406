//! A future that somebody spawned: polled until it is finished, dropped at that moment, never polled again.

use std::{
    fmt,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

/// A future in a box, until it is finished.
pub struct TaskFuture(Option<Pin<Box<dyn Future<Output = ()> + Send>>>);

impl TaskFuture {
    /// Takes a future, and does not poll it yet.
    pub fn new(future: impl Future<Output = ()> + Send + 'static) -> TaskFuture {
        TaskFuture(Some(Box::pin(future)))
    }

    /// Polls the future; when it is finished, drops it. A finished one stays ready.
    ///
    /// A panic ends this task and no other. The panic's message has been printed by then, and the task counts
    /// as finished.
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(future) = &mut self.0 else {
            return Poll::Ready(());
        };
        let answer = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)));
        let answer = answer.unwrap_or(Poll::Ready(()));
        if answer.is_ready() {
            let finished = self.0.take();
            // A destructor may panic too, and belongs to the task.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(finished)));
        }
        answer
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

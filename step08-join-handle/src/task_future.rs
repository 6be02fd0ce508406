//! A spawned future with an output. The one of stage 04 has none, and forgets the panic of its future.

use std::{
    fmt,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

use crate::{contain::contain, join_error::Payload};

/// A future in a box, until it is finished.
///
/// It catches the panics of the future, in `poll` and in the destructor.
pub struct TaskFuture<T>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T> TaskFuture<T> {
    /// Takes a future without polling it.
    pub fn new(future: impl Future<Output = T> + Send + 'static) -> TaskFuture<T> {
        TaskFuture(Some(Box::pin(future)))
    }

    /// Polls the future, and drops it once it is finished. A future that panics is finished, and its payload is the
    /// error.
    ///
    /// # Panics
    ///
    /// If it is finished already.
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<T, Payload>> {
        let future = self.0.as_mut().expect("it is not finished");
        let result = match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(payload) => Err(payload),
        };
        contain(|| self.0 = None); // a panic of the destructor changes nothing about the result
        Poll::Ready(result)
    }

    /// Drops the future, if it is not finished. Then it is finished.
    ///
    /// # Errors
    ///
    /// The payload, if the destructor panics.
    pub fn discard(&mut self) -> Result<(), Payload> {
        let future = self.0.take();
        catch_unwind(AssertUnwindSafe(|| drop(future)))
    }

    /// Whether the future has been dropped.
    pub fn is_finished(&self) -> bool {
        self.0.is_none()
    }
}

impl<T> Drop for TaskFuture<T> {
    fn drop(&mut self) {
        contain(|| self.0 = None);
    }
}

/// The result of a finished future, for a place that may drop it. It catches the panic of the destructor.
#[derive(Debug)]
pub(crate) struct TaskResult<T>(Option<Result<T, Payload>>);

impl<T> TaskResult<T> {
    pub(crate) fn new(result: Result<T, Payload>) -> TaskResult<T> {
        TaskResult(Some(result))
    }

    pub(crate) fn into_inner(mut self) -> Result<T, Payload> {
        self.0.take().expect("it is taken once")
    }
}

impl<T> Drop for TaskResult<T> {
    fn drop(&mut self) {
        contain(|| self.0 = None);
    }
}

impl<T> fmt::Debug for TaskFuture<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_finished() {
            "finished"
        } else {
            "unfinished"
        })
    }
}

//! A spawned future with an output. The one of stage 04 has none, and forgets the panic of its future.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

use crate::{contain::contain, join_error::Payload};

/// A value of code that we don't control, whose destructor may panic. That panic goes no further.
#[derive(Debug)]
pub(crate) struct Contained<T>(pub(crate) Option<T>);

impl<T> Contained<T> {
    pub(crate) fn new(value: T) -> Contained<T> {
        Contained(Some(value))
    }

    pub(crate) fn into_inner(mut self) -> T {
        self.0.take().expect("it is taken once")
    }
}

impl<T> Drop for Contained<T> {
    fn drop(&mut self) {
        contain(|| self.0 = None);
    }
}

/// What a finished task has: its output, or what its panic carries.
pub(crate) type TaskResult<T> = Result<T, Payload>;

/// A future in a box, until it is finished.
///
/// It catches the panics of the future, in `poll` and in the destructor.
pub(crate) struct TaskFuture<T>(Contained<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T> TaskFuture<T> {
    /// Takes a future without polling it.
    pub(crate) fn new(future: impl Future<Output = T> + Send + 'static) -> TaskFuture<T> {
        TaskFuture(Contained::new(Box::pin(future)))
    }

    /// Polls the future, and drops it once it is finished. A future that panics is finished, and its payload is the
    /// error.
    ///
    /// # Panics
    ///
    /// If it is finished already.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<TaskResult<T>> {
        let future = self.0.0.as_mut().expect("it is not finished");
        let result = match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(payload) => Err(payload),
        };
        contain(|| self.0.0 = None); // a panic of the destructor changes nothing about the result
        Poll::Ready(result)
    }

    /// Drops the future, if it is not finished. Then it is finished.
    ///
    /// # Errors
    ///
    /// The payload, if the destructor panics.
    pub(crate) fn discard(&mut self) -> Result<(), Payload> {
        let future = self.0.0.take();
        catch_unwind(AssertUnwindSafe(|| drop(future)))
    }

    /// Whether the future has been dropped.
    pub(crate) fn is_finished(&self) -> bool {
        self.0.0.is_none()
    }
}

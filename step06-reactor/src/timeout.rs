//! A time limit for any future.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use crate::{Reactor, Timer, TimerError};

/// A future with a time limit. [`timeout`] makes it.
#[derive(Debug)]
// ANCHOR: struct
pub struct Timeout<F> {
    future: Pin<Box<F>>,
    timer: Timer,
}
// ANCHOR_END: struct

/// Gives `future` the time `limit`. The output is `Some` if `future` was ready in time and `None` if the time was up
/// first. The time is counted from the end of the first poll of `future`, because only then is the timer polled for the
/// first time.
///
/// When its time is up, `future` has not ended: it is dropped together with the [`Timeout`], which `.await` does at
/// once. It must not be polled again after it was ready.
///
/// # Errors
///
/// The timer's error, if `future` was not ready by then.
///
/// ```
/// use futures::executor::block_on;
/// use std::{future, time::Duration};
/// use step06_reactor::{Reactor, timeout};
///
/// let (reactor, limit) = (Reactor::new(), Duration::from_millis(5));
/// assert_eq!(block_on(timeout(&reactor, limit, future::ready(7)))?, Some(7));
/// assert_eq!(block_on(timeout(&reactor, limit, future::pending::<i32>()))?, None);
/// # Ok::<(), step06_reactor::TimerError>(())
/// ```
pub fn timeout<F: Future>(reactor: &Reactor, limit: Duration, future: F) -> Timeout<F> {
    Timeout {
        future: Box::pin(future),
        timer: Timer::new(reactor, limit),
    }
}

impl<F: Future> Future for Timeout<F> {
    type Output = Result<Option<F::Output>, TimerError>;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // The future is polled first, so that it is in time if it is ready at the last moment.
        if let Poll::Ready(output) = self.future.as_mut().poll(cx) {
            return Poll::Ready(Ok(Some(output)));
        }
        Pin::new(&mut self.timer).poll(cx).map_ok(|()| None)
    }
    // ANCHOR_END: poll
}

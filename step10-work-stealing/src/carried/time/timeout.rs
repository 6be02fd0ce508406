//! A time limit for any future.

use std::{
    error::Error,
    fmt,
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use pin_project_lite::pin_project;

use super::sleep::{Sleep, sleep};

pin_project! {
    /// A future with a time limit. [`timeout`] makes it.
    #[derive(Debug)]
    pub struct Timeout<F> {
        #[pin]
        future: F,
        #[pin]
        limit: Sleep,
    }
}

/// The time was up before the future was ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elapsed;

/// Gives `future` the time `limit`, counted from this call.
///
/// When the time is up, `future` has not ended: it is dropped together with the [`Timeout`], which `.await` does at once.
///
/// The limit is looked at when `future` waits. One that never waits, such as a loop of reads from a peer that sends faster
/// than they read, is not stopped by it.
///
/// # Errors
///
/// [`Elapsed`], if `future` was not ready by then.
///
/// # Panics
///
/// Where [`sleep`](fn@sleep) does.
pub fn timeout<F: Future>(limit: Duration, future: F) -> Timeout<F> {
    Timeout {
        future,
        limit: sleep(limit),
    }
}

impl<F: Future> Future for Timeout<F> {
    type Output = Result<F::Output, Elapsed>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        // The future is polled first, so that it is in time if it is ready at the last moment.
        if let Poll::Ready(output) = this.future.poll(cx) {
            return Poll::Ready(Ok(output));
        }
        this.limit.poll(cx).map(|()| Err(Elapsed))
    }
}

impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the time was up")
    }
}

impl Error for Elapsed {}

impl From<Elapsed> for io::Error {
    fn from(elapsed: Elapsed) -> io::Error {
        io::Error::new(io::ErrorKind::TimedOut, elapsed)
    }
}

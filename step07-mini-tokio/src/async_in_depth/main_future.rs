//! An `async` block, written by hand as the state machine that it is compiled to.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use super::Delay;

/// Does what this `async` block does, with one state before the `.await`, one at it, and one after it:
///
/// ```
/// # use futures::executor::block_on;
/// # use std::time::{Duration, Instant};
/// # use step07_mini_tokio::async_in_depth::{Delay, MainFuture};
/// let by_compiler = async {
///     let when = Instant::now() + Duration::from_millis(10);
///     Delay::until(when).await
/// };
/// assert_eq!(block_on(by_compiler), "done");
/// assert_eq!(block_on(MainFuture::State0), "done");
/// ```
#[derive(Debug)]
pub enum MainFuture {
    /// Not polled yet.
    State0,
    /// At the `.await`.
    State1(Delay),
    /// Finished. The delay has been dropped.
    Terminated,
}

impl Future for MainFuture {
    type Output = &'static str;

    /// # Panics
    ///
    /// If it is polled after it was ready, as an `async` block is.
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
        loop {
            match &mut *self {
                MainFuture::State0 => {
                    let when = Instant::now() + Duration::from_millis(10);
                    *self = MainFuture::State1(Delay::until(when));
                }
                MainFuture::State1(delay) => {
                    let out = ready!(Pin::new(delay).poll(cx));
                    *self = MainFuture::Terminated;
                    return Poll::Ready(out);
                }
                MainFuture::Terminated => panic!("polled after it was ready"),
            }
        }
    }
}

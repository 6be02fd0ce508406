//! An `async fn` with one `.await`, and the same thing by hand, poll for poll.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use crate::TimerFuture;

/// Prints `start`, waits, prints `end`.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::{Polls, nap};
/// use std::time::Duration;
///
/// let polls = Polls::default();
/// assert_eq!(block_on(polls.count(nap(Duration::from_millis(5)))), "rested");
/// assert_eq!(polls.get(), 2);
/// ```
// ANCHOR: async
pub async fn nap(duration: Duration) -> &'static str {
    println!("start");
    TimerFuture::new(duration).await;
    println!("end");
    "rested"
}
// ANCHOR_END: async

/// What the compiler makes of [`nap`]: a state for each place at which it can stand still.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::{Nap, Polls};
/// use std::time::Duration;
///
/// let polls = Polls::default();
/// assert_eq!(block_on(polls.count(Nap::Start(Duration::from_millis(5)))), "rested");
/// assert_eq!(polls.get(), 2);
/// ```
// ANCHOR: states
#[derive(Debug)]
pub enum Nap {
    /// Called, and not polled yet. Holds the arguments.
    Start(Duration),
    /// At the `.await`. Holds what lives across it.
    Waiting(TimerFuture),
    /// Finished. Holds nothing: the timer has been dropped.
    Done,
}
// ANCHOR_END: states

impl Future for Nap {
    type Output = &'static str;

    /// # Panics
    ///
    /// If it is polled after it was ready, as an `async fn` does.
    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
        // A loop: after a change of state it goes on at once. It returns only when the
        // timer is pending, or at the end.
        loop {
            match &mut *self {
                Nap::Start(duration) => {
                    println!("start");
                    *self = Nap::Waiting(TimerFuture::new(*duration));
                }
                Nap::Waiting(timer) => {
                    ready!(Pin::new(timer).poll(cx));
                    // Before `end` is printed, because the timer lives no longer than the
                    // statement that awaits it.
                    *self = Nap::Done;
                    println!("end");
                    return Poll::Ready("rested");
                }
                Nap::Done => panic!("polled after it was ready"),
            }
        }
    }
    // ANCHOR_END: poll
}

//! An `async fn` with one `.await`, and a state machine by hand that does the same, poll for poll.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
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
    println!("      start");
    TimerFuture::new(duration).await;
    println!("      end");
    "rested"
}
// ANCHOR_END: async

/// [`nap`] as a state machine: one state before the first poll, one for the `.await`, one for the end.
///
/// The compiler's version has the same states, and one more for a body that has panicked. Unlike this one, it is not
/// [`Unpin`].
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
    /// Called and not yet polled. Holds the arguments.
    Start(Duration),
    /// Suspended at the `.await`. Holds what lives across it, and the future that is
    /// awaited.
    Waiting(TimerFuture),
    /// Finished. The timer has been dropped.
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
        loop {
            match &mut *self {
                Nap::Start(duration) => {
                    println!("      start");
                    *self = Nap::Waiting(TimerFuture::new(*duration));
                }
                Nap::Waiting(timer) => {
                    match Pin::new(timer).poll(cx) {
                        Poll::Pending => return Poll::Pending,
                        Poll::Ready(()) => {}
                    }
                    // This drops the timer. It comes before `end` is printed, because a
                    // future that is awaited lives no longer than the statement with
                    // the `.await`.
                    *self = Nap::Done;
                    println!("      end");
                    return Poll::Ready("rested");
                }
                Nap::Done => panic!("polled after it was ready"),
            }
        }
    }
    // ANCHOR_END: poll
}

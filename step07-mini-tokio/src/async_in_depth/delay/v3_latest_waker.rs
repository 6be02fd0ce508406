//! Version 3: the timer of stage 03, which starts one thread, and wakes the task that polled it last.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use crate::TimerFuture;

/// Ready with `"done"` once `when` has passed.
///
/// It may move from one task to another between two polls, because it wakes the task that polled it last. A poll after
/// it was ready returns `Ready` again.
///
/// ```
/// use std::time::{Duration, Instant};
/// use step07_mini_tokio::async_in_depth::Delay;
///
/// let when = Instant::now() + Duration::from_millis(5);
/// let out = futures::executor::block_on(Delay::until(when));
/// assert_eq!(out, "done");
/// assert!(Instant::now() >= when);
/// ```
#[derive(Debug)]
pub struct Delay {
    when: Instant,
    /// `None` before the first poll.
    timer: Option<TimerFuture>,
}

impl Delay {
    /// Creates a delay that is ready once `when` has passed. Its thread is started by the first poll.
    pub fn until(when: Instant) -> Delay {
        Delay { when, timer: None }
    }
}

impl Future for Delay {
    type Output = &'static str;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
        let when = self.when;
        let timer = self.timer.get_or_insert_with(|| {
            let left = when.saturating_duration_since(Instant::now());
            // It is never zero, because a timer of no duration is ready in its first poll. Then
            // the number of polls would depend on how busy the machine is.
            TimerFuture::new(left.max(Duration::from_nanos(1)))
        });
        // From now on the clock is not read. If it were, the thread could fire after the
        // clock said "too early" and before this poll's waker is stored, and would wake an
        // old waker.
        ready!(Pin::new(timer).poll(cx));
        println!("      Hello world");
        Poll::Ready("done")
    }
    // ANCHOR_END: poll
}

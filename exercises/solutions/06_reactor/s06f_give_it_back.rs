//! s06f · complete · 15 minutes · chapter 06, "One thread for all timers"
//!
//! The stage's `timeout` cancels a future that is too slow. Sometimes the caller would rather keep it, and poll it on
//! later. So this timeout gives an unfinished future back: its output is `Ok` with the future's output, or `Err` with the
//! future itself. A future that is ready at the very poll at which its time is up counts as in time.
//!
//! Write `Timeout::poll`. The comment on the field `future` says when it is `None`.
//!
//! Run: `cargo test --bin s06f_give_it_back`, or save this file while `rustlings` runs.
//! Red: the watchdog says what became of the waker, or a test says what the timeout should have returned. The code that
//! finishes the work is the reactor here, and a timer leaves a waker there only when it is polled.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use step06_reactor::{Reactor, Timer};

/// A future with a time limit.
struct Timeout<F> {
    /// `None` once the timeout was ready, because then the future has finished or belongs to the caller.
    future: Option<Pin<Box<F>>>,
    timer: Timer,
}

/// Gives `future` the time `limit`, counted from the end of its first poll.
fn timeout<F: Future>(reactor: &Reactor, limit: Duration, future: Pin<Box<F>>) -> Timeout<F> {
    Timeout {
        future: Some(future),
        timer: Timer::new(reactor, limit),
    }
}

impl<F: Future> Future for Timeout<F> {
    type Output = Result<F::Output, Pin<Box<F>>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Some(future) = &mut this.future else {
            panic!("polled after it was ready");
        };
        // First, so that a future that is ready at the last moment counts as in time.
        if let Poll::Ready(output) = future.as_mut().poll(cx) {
            this.future = None;
            return Poll::Ready(Ok(output));
        }
        if Pin::new(&mut this.timer).poll(cx).is_pending() {
            return Poll::Pending;
        }
        let unfinished = this.future.take().expect("it is still pending");
        Poll::Ready(Err(unfinished))
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s06f_give_it_back.rs"]
mod tests;

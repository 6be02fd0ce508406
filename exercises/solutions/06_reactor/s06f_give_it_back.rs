//! s06f · complete · 15 minutes · chapter 06, "One thread for all timers"
//!
//! The stage's `timeout` cancels a future that is too slow. Sometimes the caller would rather keep it, and poll it on
//! later. So this time-out gives an unfinished future back: its output is `Ok` with the future's output, or `Err` with the
//! future itself. A future that is ready at the very poll at which its time is up counts as in time.
//!
//! Write `Timeout::poll`. The comment on the field `future` says when it is `None`.
//!
//! Run: `cargo test --bin s06f_give_it_back`, or save this file while `rustlings` runs.
//! Red: the watchdog says what became of the waker, or a test says what the time-out should have returned.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use step06_reactor::{Reactor, Timer};

/// A future with a time limit.
struct Timeout<F> {
    /// `None` once the time-out was ready, because then the future has finished or belongs to the caller.
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

#[cfg(test)]
mod tests {
    use super::*;
    use futures::channel::oneshot;
    use probe::{Counted, watch, within};
    use std::future::{pending, ready};
    use step05_parker_block_on::block_on;

    const LIMIT: Duration = Duration::from_secs(2);
    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(3_600);

    fn run<T>(name: &str, future: impl Future<Output = T>) -> T {
        within(LIMIT, || block_on(watch(name, future)))
    }

    #[test]
    fn a_future_that_is_ready_in_time_gives_its_output() {
        let reactor = Reactor::new();
        let nap = Timer::new(&reactor, SHORT);
        let result = run(
            "a time-out of an hour",
            timeout(&reactor, LONG, Box::pin(nap)),
        );
        assert!(
            result.is_ok(),
            "the future was ready after 20 ms of an hour, and the time-out returned `Err`"
        );
        assert_eq!(
            reactor.waiting(),
            0,
            "the time-out is over, and the reactor still waits for a timer"
        );
    }

    #[test]
    fn a_future_whose_time_is_up_is_given_back_and_loses_nothing() {
        let reactor = Reactor::new();
        let (answer, question) = oneshot::channel();
        let asked = Box::pin(question);
        let Err(asked) = run("a time-out of 20 ms", timeout(&reactor, SHORT, asked)) else {
            panic!("no answer was sent, and the time-out returned `Ok`");
        };
        answer
            .send(42)
            .expect("the receiver was given back, so it still exists");
        assert_eq!(
            run("the future that was given back", asked),
            Ok(42),
            "the future was given back, and polled on"
        );
    }

    #[test]
    fn both_are_polled_in_every_poll() {
        let reactor = Reactor::new();
        let counted = Counted::new(pending::<()>());
        let counts = counted.counts();
        let returned = run(
            "a time-out of 20 ms",
            timeout(&reactor, SHORT, Box::pin(counted)),
        );
        assert_eq!(
            counts.polls(),
            2,
            "the future is polled once at the start, and once more when the timer wakes the task. A wake does not say \
             which of the two is ready."
        );
        assert_eq!(
            counts.drops(),
            0,
            "the future was dropped, although it should have been given back"
        );
        drop(returned);
        assert_eq!(
            counts.drops(),
            1,
            "the caller dropped what it was given back"
        );
    }

    #[test]
    fn the_last_moment_is_in_time() {
        let reactor = Reactor::new();
        let result = run(
            "a time-out of zero",
            timeout(&reactor, Duration::ZERO, Box::pin(ready(7))),
        );
        assert!(
            matches!(result, Ok(7)),
            "the future and the timer were ready at the same poll, and the output was not returned. Which of them did \
             you poll first?"
        );
    }
}

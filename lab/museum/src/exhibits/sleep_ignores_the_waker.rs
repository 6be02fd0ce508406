//! A sleep that checks the clock in `poll`, and arranges no wake.
//!
//! The runtime that it was written for polls every task all the time, so it seems to work there. On any other executor,
//! the first poll is the last.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    thread,
    time::{Duration, Instant},
};

use futures::executor::block_on;

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "sleep-ignores-the-waker",
    title: "a sleep that does not keep its waker",
    was_in: "whorl, `futures::Sleep` in src/lib.rs",
    breaks: "A future that returns Pending has made sure that a wake will come.",
    chapter: 1,
    fails: Fails::Hangs("returned Pending, but no clone of its waker was kept"),
    why: "time passes, but nothing happens at its end. An executor that sleeps until it is woken sleeps forever. \
          The fixed version starts a thread that sleeps in its place, and hands the waker to that thread.",
    passes: "the sleep is over",
    broken: || run(Sleep { until: soon() }),
    repaired: || run(SleepThatWakes { until: soon() }),
};

struct Sleep {
    until: Instant,
}

// ANCHOR: broken
impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= self.until {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}
// ANCHOR_END: broken

struct SleepThatWakes {
    until: Instant,
}

// ANCHOR: repaired
impl Future for SleepThatWakes {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Poll::Ready(());
        }
        // A thread for each poll is expensive: see the exhibit thread-per-poll.
        let waker = cx.waker().clone();
        thread::spawn(move || {
            thread::sleep(left);
            waker.wake();
        });
        Poll::Pending
    }
}
// ANCHOR_END: repaired

fn soon() -> Instant {
    Instant::now() + Duration::from_millis(30)
}

fn run(sleep: impl Future<Output = ()>) {
    block_on(probe::watch("sleep", sleep));
    println!("the sleep is over");
}

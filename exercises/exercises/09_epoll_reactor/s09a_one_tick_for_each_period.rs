//! s09a · complete · 10 minutes · chapter 09, "Epoll and the reactor"
//!
//! An interval is a stream that never ends, and yields once in each period. Two mistakes are easy to make. If the next
//! deadline is counted from the moment at which a tick was taken, every delay adds up, and the interval drifts. If it is
//! one period after the last deadline, a task that was busy for ten periods gets ten ticks in a row afterwards.
//!
//! Write `poll_next`. Each deadline is a whole number of periods after the start, however late the tick before it was
//! taken. A task that comes late gets one tick at once, and the other ticks that it has missed are left out.
//!
//! Run: `cargo test --bin s09a_one_tick_for_each_period`, or save this file while `rustlings` runs.
//! Red: a test says when the task came, and which ticks it got. The tests move the clock, so no time passes.

use futures::Stream;
use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker, ready},
    time::Duration,
};

struct Interval {
    period: Duration,
    /// At first, its deadline is one period after the start.
    next: Sleep,
}

impl Stream for Interval {
    type Item = ();

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        let this = &mut *self;
        // TODO: wait for `this.next`, and move its deadline.
        Poll::Pending
    }
}

/// Waits until the clock shows the deadline.
struct Sleep {
    clock: Arc<Clock>,
    /// The time since the start. It may be changed, and then counts in the next poll.
    deadline: Duration,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.clock.now() >= self.deadline {
            return Poll::Ready(());
        }
        self.clock.wake_at(self.deadline, cx.waker().clone());
        Poll::Pending
    }
}

/// A clock that the tests move.
#[derive(Default)]
struct Clock(Mutex<(Duration, Vec<(Duration, Waker)>)>);

impl Clock {
    /// The time since the start.
    fn now(&self) -> Duration {
        self.0.lock().unwrap().0
    }

    fn wake_at(&self, deadline: Duration, waker: Waker) {
        self.0.lock().unwrap().1.push((deadline, waker));
    }

    fn set(&self, now: Duration) {
        let mut state = self.0.lock().unwrap();
        state.0 = now;
        let (due, later) = state.1.drain(..).partition(|(at, _)| *at <= now);
        state.1 = later;
        drop(state);
        let due: Vec<(Duration, Waker)> = due;
        due.into_iter().for_each(|(_, waker)| waker.wake());
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s09a_one_tick_for_each_period.rs"]
mod tests;

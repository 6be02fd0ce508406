//! By the compiler, with `.await` written out, and by hand: the same things happen in the same order.
//!
//! `nap.rs` and `expanded.rs` are compiled here once more, beside a `TimerFuture` and a `println!` that record events.

use std::{
    cell::RefCell,
    future::Future,
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
    time::Duration,
};

thread_local! {
    static EVENTS: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

pub fn note(event: &'static str) {
    EVENTS.with_borrow_mut(|events| events.push(event));
}

macro_rules! println {
    ($text:literal) => {
        crate::order::note($text.trim_start())
    };
}

#[path = "../src/expanded.rs"]
mod expanded;
#[path = "../src/nap.rs"]
mod nap;

/// Ready at its second poll. A zero timer is ready at the first.
#[derive(Debug)]
pub struct TimerFuture {
    pending: bool,
}

impl TimerFuture {
    fn new(duration: Duration) -> TimerFuture {
        note("timer made");
        TimerFuture {
            pending: !duration.is_zero(),
        }
    }
}

impl Future for TimerFuture {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        note("timer polled");
        if std::mem::take(&mut self.pending) {
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}

impl Drop for TimerFuture {
    fn drop(&mut self) {
        note("timer dropped");
    }
}

/// Polls a future this many times, drops it, and returns the events in between.
fn events(future: impl Future, polls: usize) -> Vec<&'static str> {
    {
        let mut future = pin!(future);
        for poll in 0..polls {
            note(["first poll", "second poll"][poll]);
            let _ = future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
        }
        note("dropped");
    }
    EVENTS.take()
}

#[test]
fn the_timer_is_dropped_before_the_next_line_runs() {
    let expected = [
        "first poll",
        "start",
        "timer made",
        "timer polled",
        "second poll",
        "timer polled",
        "timer dropped",
        "end",
        "dropped",
    ];
    let second = Duration::from_secs(1);
    assert_eq!(events(nap::nap(second), 2), expected);
    assert_eq!(events(expanded::nap_expanded(second), 2), expected);
    assert_eq!(events(nap::Nap::Start(second), 2), expected);
}

#[test]
fn ready_at_once_or_cancelled_they_are_equal_too() {
    for duration in [Duration::ZERO, Duration::from_secs(1)] {
        for polls in 0..2 {
            let by_compiler = events(nap::nap(duration), polls);
            assert_eq!(by_compiler, events(expanded::nap_expanded(duration), polls));
            assert_eq!(by_compiler, events(nap::Nap::Start(duration), polls));
        }
    }
}

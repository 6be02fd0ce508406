//! A stream of ticks.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use futures::Stream;

use super::sleep::{Sleep, sleep};

/// A stream that yields at regular times. [`interval`] makes it.
#[derive(Debug)]
// ANCHOR: struct
pub struct Interval {
    period: Duration,
    next: Sleep,
}
// ANCHOR_END: struct

/// Yields `()` once in each `period`, the first time after one period. It never ends.
///
/// The deadlines do not drift: each is a whole number of periods after this call, however late the tick before it was
/// taken. Ticks that have been missed by then are left out.
///
/// # Panics
///
/// If `period` is zero, and where [`sleep`](fn@sleep) does.
pub fn interval(period: Duration) -> Interval {
    assert!(
        !period.is_zero(),
        "an interval of zero never lets time pass"
    );
    Interval {
        period,
        next: sleep(period),
    }
}

impl Stream for Interval {
    type Item = ();

    // ANCHOR: poll_next
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        ready!(Pin::new(&mut self.next).poll(cx));
        let period = self.period;
        self.next.advance(period, Instant::now());
        Poll::Ready(Some(()))
    }
    // ANCHOR_END: poll_next
}

//! A stream of ticks.

use std::{
    pin::pin,
    task::{Context, Poll},
    thread,
    time::{Duration, Instant},
};

use futures::{Stream, StreamExt};
use probe::{CountingWaker, within};
use step09_epoll_reactor::{Interval, interval};

use super::{
    LIMIT, panic_of,
    recorded::{Parked, calls, recorded},
    runtime,
};

fn tick(interval: &mut Interval, waker: &CountingWaker) -> Poll<Option<()>> {
    pin!(interval).poll_next(&mut Context::from_waker(&waker.waker()))
}

#[test]
fn missed_ticks_are_left_out_and_the_next_is_not_put_off() {
    const PERIOD: Duration = Duration::from_millis(10);
    within(LIMIT, || {
        let (mut runtime, record) = recorded(|_, _| ());
        runtime.block_on(async {
            let start = Instant::now();
            let mut ticks = interval(PERIOD);
            thread::sleep(PERIOD * 5 / 2);
            let waker = CountingWaker::new();
            assert_eq!(tick(&mut ticks, &waker), Poll::Ready(Some(())));
            // Two have been missed, so this is the third.
            ticks.next().await;
            assert!(start.elapsed() >= PERIOD * 3);
        });
        // It was due within a period of the late tick.
        for call in calls(&record) {
            assert!(
                matches!(call, Parked(Some(limit)) if limit <= PERIOD),
                "{call:?}"
            );
        }
    });
}

#[test]
fn a_period_of_zero_is_refused() {
    within(LIMIT, || {
        let message = panic_of(|| runtime().block_on(async { interval(Duration::ZERO) }));
        assert_eq!(message, "an interval of zero never lets time pass");
    });
}

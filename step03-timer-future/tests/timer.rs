//! The timer: short, long, moved, dropped.

use std::{
    task::Poll,
    thread,
    time::{Duration, Instant},
};

use futures::executor::block_on;
use probe::{Counted, CountingWaker, poll, within};
use step03_timer_future::TimerFuture;

const LIMIT: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(10);

#[test]
fn it_is_never_early_and_takes_two_polls() {
    within(LIMIT, || {
        let start = Instant::now();
        let timer = Counted::new(TimerFuture::new(SHORT));
        let counts = timer.counts();
        block_on(timer);
        assert!(start.elapsed() >= SHORT);
        assert_eq!((counts.polls(), counts.drops()), (2, 1));
    });
}

#[test]
fn its_time_runs_from_the_first_poll() {
    within(LIMIT, || {
        let timer = TimerFuture::new(SHORT);
        thread::sleep(2 * SHORT);
        let start = Instant::now();
        block_on(timer);
        assert!(start.elapsed() >= SHORT);
    });
}

#[test]
fn zero_is_ready_at_the_first_poll_and_keeps_no_waker() {
    let waker = CountingWaker::new();
    let mut timer = TimerFuture::new(Duration::ZERO);
    assert_eq!(poll(&mut timer, &waker.waker()), Poll::Ready(()));
    assert_eq!(waker.clones(), 0);
}

#[test]
fn a_nanosecond_ends_too() {
    within(LIMIT, || {
        for _ in 0..if cfg!(miri) { 10 } else { 200 } {
            block_on(TimerFuture::new(Duration::from_nanos(1)));
        }
    });
}

#[test]
fn dropped_early_it_keeps_no_waker_and_never_wakes() {
    // Many times, because the timer's thread would drop what it holds soon after.
    for duration in
        [Duration::from_secs(3_600), Duration::MAX].repeat(if cfg!(miri) { 5 } else { 20 })
    {
        let waker = CountingWaker::new();
        let mut timer = TimerFuture::new(duration);
        assert_eq!(poll(&mut timer, &waker.waker()), Poll::Pending);
        drop(timer);
        assert_eq!((waker.live(), waker.wakes()), (0, 0));
    }
}

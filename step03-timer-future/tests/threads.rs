//! One thread for each timer, from its first poll until it fires or is dropped.
//!
//! In a process of its own, whose threads it counts.

// Miri does not count threads.
#![cfg(not(miri))]

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use probe::within;
use step03_timer_future::TimerFuture;

#[test]
fn a_timer_has_one_thread_for_as_long_as_it_waits() {
    probe::alone(|| {
        within(Duration::from_secs(10), || {
            let before = probe::threads();
            let mut timers: Vec<_> = (0..20).map(|_| TimerFuture::new(Duration::MAX)).collect();
            assert_eq!(
                TimerFuture::threads_started(),
                0,
                "none before the first poll"
            );

            let mut cx = Context::from_waker(Waker::noop());
            for _ in 0..100 {
                for timer in &mut timers {
                    assert_eq!(Pin::new(timer).poll(&mut cx), Poll::Pending);
                }
            }
            assert_eq!(
                TimerFuture::threads_started(),
                20,
                "none but at the first poll"
            );

            drop(timers);
            probe::wait_until(|| probe::threads() == before);
        });
    });
}

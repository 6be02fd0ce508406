//! What each delay costs in threads, when it is polled more often than it is woken.
//!
//! In a process of its own, whose threads it counts.

// Miri does not count threads.
#![cfg(not(miri))]

use std::{
    future::Future,
    pin::pin,
    task::{Context, Waker},
    thread,
    time::{Duration, Instant},
};

use futures::future::join_all;
use probe::within;
use step07_mini_tokio::async_in_depth::{
    Delay,
    delay::{threads_started, v1_busy, v2_thread_per_poll, v4_notify},
};

const POLLS: usize = 100;

fn threads_for(delay: impl Future) -> usize {
    let before = threads_started();
    let mut delay = pin!(delay);
    for _ in 0..POLLS {
        let answer = delay.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(answer.is_pending());
    }
    threads_started() - before
}

#[test]
fn threads_started_by_a_hundred_polls() {
    probe::alone(|| {
        within(Duration::from_secs(20), || {
            let before = probe::threads();
            let when = Instant::now() + Duration::from_secs(3_600);
            assert_eq!(threads_started(), 0);
            assert_eq!(threads_for(v1_busy::Delay::until(when)), 0);
            assert_eq!(threads_for(v2_thread_per_poll::Delay::until(when)), POLLS);
            assert_eq!(threads_for(Delay::until(when)), 1);
            let six_joined = join_all([when; 6].map(Delay::until));
            assert_eq!(threads_for(six_joined), 6);
            assert_eq!(threads_for(v4_notify::delay(when)), 1);
            // All were dropped early, and their threads go with them.
            while probe::threads() != before {
                thread::yield_now();
            }
        });
    });
}

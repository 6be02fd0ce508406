//! The operating system has no thread left.
//!
//! In the test's own process each thread asks for more stack than there are addresses. Only on Unix, because only there
//! does the test harness then go on without a thread of its own.

// Miri starts no programs.
#![cfg(all(unix, not(miri)))]

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Waker},
    time::{Duration, Instant},
};

use step07_mini_tokio::async_in_depth::{Delay, delay::threads_started};

const STACK: &str = "RUST_MIN_STACK";

#[test]
fn a_thread_that_could_not_be_started_is_not_counted() {
    let too_much = (usize::MAX / 16).to_string();
    probe::alone_with(&[(STACK, &too_much)], || {
        let mut timer = Delay::until(Instant::now() + Duration::from_secs(3_600));
        let poll =
            AssertUnwindSafe(|| Pin::new(&mut timer).poll(&mut Context::from_waker(Waker::noop())));
        catch_unwind(poll).expect_err("a thread was started");
        assert_eq!(threads_started(), 0);
    });
}

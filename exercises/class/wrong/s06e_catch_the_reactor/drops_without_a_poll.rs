//! s06e · prove · 15 minutes · chapter 06, "One thread for every timer"
//!
//! Here you write the test. `check` is given a reactor's timers, and has to panic or to hang if they are not what
//! `Timers` says. It must let the good ones pass within a second. The broken ones: some take whole seconds only, as
//! those of *Parker and Reactor* (003) do; some stay in the reactor when they are dropped (D41); some are not looked
//! at while an earlier one, which may be a longer one, still waits.
//!
//! Run: `cargo test --bin s06e_catch_the_reactor`, or save this file while `rustlings` runs.
//! Red: a test says which timers your check did not catch, or that it refused the good ones.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};
use step05_parker_block_on::block_on;

type BoxedTimer = Pin<Box<dyn Future<Output = ()>>>;

/// What is tested: a reactor with its timers.
trait Timers {
    /// Becomes ready once `duration` has passed since its first poll: not earlier, and not much later, whatever the
    /// other timers are. A timer that is dropped leaves the reactor.
    fn timer(&self, duration: Duration) -> BoxedTimer;

    /// How many timers the reactor waits for.
    fn waiting(&self) -> usize;
}

/// Panics, or does not return, if these are not good timers.
fn check(timers: &dyn Timers) {
    let (start, duration) = (Instant::now(), Duration::from_millis(20));
    block_on(timers.timer(duration));
    assert!(start.elapsed() >= duration);
    // ANCHOR: slip
    drop(timers.timer(Duration::from_secs(3_600)));
    assert_eq!(timers.waiting(), 0);
    // ANCHOR_END: slip
}

/// Polls a timer, which enters the reactor by that.
fn poll_once(timer: &mut BoxedTimer) -> Poll<()> {
    timer.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

fn main() {}

//! s06e · prove · 15 minutes · chapter 06, "One thread for all timers"
//!
//! Here you write the test. `check` is given a reactor's timers, and has to panic if they break a promise of `Timers`. It has
//! to let the good ones pass. There are three kinds of broken timers. Some know only whole seconds, like those of *Parker and
//! Reactor* (003). Some stay in the reactor when they are dropped (D41). Some are not checked while an earlier one, which may
//! be a longer one, still waits.
//!
//! No real time passes here. The reactor has a clock of its own, which `now` reads. Whenever `block_on` has to wait, the clock
//! jumps to the next deadline. So a check takes no time, and its answer doesn't depend on how busy the machine is.
//!
//! Run: `cargo test --bin s06e_catch_the_reactor`, or save this file while `rustlings` runs.
//! Red: a test says which timers your check did not catch, or that it refused the good ones.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

type BoxedTimer = Pin<Box<dyn Future<Output = ()>>>;

/// What the check is given: a reactor with its timers.
trait Timers {
    /// Ready once `duration` has passed since its first poll: not earlier, and half a second later at most, whatever other
    /// timers there are. A timer that is dropped leaves the reactor.
    fn timer(&self, duration: Duration) -> BoxedTimer;

    /// How many timers the reactor waits for.
    fn waiting(&self) -> usize;

    /// How much time has passed on the reactor's clock.
    fn now(&self) -> Duration;

    /// Runs a timer to its end. All others that are due by then have left the reactor, too.
    fn block_on(&self, timer: BoxedTimer);
}

/// Panics if these are not good timers.
fn check(timers: &dyn Timers) {
    in_time(timers);

    // Gone when dropped. It is polled first, because only a poll brings it into the reactor.
    let mut hour = timers.timer(Duration::from_secs(3_600));
    assert!(poll_once(&mut hour).is_pending());
    drop(hour);
    assert_eq!(timers.waiting(), 0, "a dropped timer is still waited for");

    // Not held up by a longer one.
    let mut hour = timers.timer(Duration::from_secs(3_600));
    assert!(poll_once(&mut hour).is_pending());
    in_time(timers);
}

/// A short timer is neither early nor late.
fn in_time(timers: &dyn Timers) {
    let (start, duration) = (timers.now(), Duration::from_millis(20));
    timers.block_on(timers.timer(duration));
    let passed = timers.now() - start;
    assert!(passed >= duration, "a timer was early");
    assert!(
        passed <= duration + Duration::from_millis(500),
        "a timer was late"
    );
}

/// Polls a timer once, so that it enters the reactor.
fn poll_once(timer: &mut BoxedTimer) -> Poll<()> {
    timer.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s06e_catch_the_reactor.rs"]
mod tests;

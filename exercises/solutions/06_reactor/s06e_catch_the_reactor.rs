//! s06e · prove · 15 minutes · chapter 06, "One thread for all timers"
//!
//! Here you write the test. `check` is given a reactor's timers. It has to panic or to hang if they break a promise of
//! `Timers`, and to let the good ones pass within a second. There are three kinds of broken timers. Some know only whole
//! seconds, like those of *Parker and Reactor* (003). Some stay in the reactor when they are dropped (D41). Some are not
//! checked while an earlier one, which may be a longer one, still waits. On a busy machine, each good timer may be half a
//! second late, so a check that compares times needs a larger margin than that.
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

/// What the check is given: a reactor with its timers.
trait Timers {
    /// Ready once `duration` has passed since its first poll: not earlier, and not much later, whatever other timers there
    /// are. A timer that is dropped leaves the reactor.
    fn timer(&self, duration: Duration) -> BoxedTimer;

    /// How many timers the reactor waits for.
    fn waiting(&self) -> usize;
}

/// Panics, or does not return, if these are not good timers.
fn check(timers: &dyn Timers) {
    // Not early. How late it is depends on the machine, so that is not checked.
    let (start, duration) = (Instant::now(), Duration::from_millis(20));
    block_on(timers.timer(duration));
    assert!(start.elapsed() >= duration, "a timer was early");

    // Gone when dropped. It is polled first, because only a poll brings it into the reactor.
    let mut hour = timers.timer(Duration::from_secs(3_600));
    assert!(poll_once(&mut hour).is_pending());
    drop(hour);
    assert_eq!(timers.waiting(), 0, "a dropped timer is still waited for");

    // Not held up by a longer one. If it is, this hangs.
    let mut hour = timers.timer(Duration::from_secs(3_600));
    assert!(poll_once(&mut hour).is_pending());
    block_on(timers.timer(duration));
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

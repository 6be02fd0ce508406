//! What the clauses have in common: how long their timers run, and how a timer is polled.

use std::{sync::Arc, time::Duration};

use crate::{Answer, BoxFuture, Leaf, Unsupported, wake_counter::WakeCounter};

/// What nearly every test waits for.
pub(super) const SOON: Duration = Duration::from_millis(20);

/// What is waited for many times in one test.
pub(super) const AT_ONCE: Duration = Duration::from_millis(1);

/// Polls a timer that cannot be over.
pub(super) fn poll_pending(counter: &Arc<WakeCounter>, timer: &mut BoxFuture) {
    assert!(counter.poll(timer).is_pending(), "ready too early");
}

/// A timer that has been polled and is pending. One that is over before its first poll tells its driver nothing, and keeps no waker,
/// so a longer one follows it.
pub(super) fn waiting(
    leaf: &dyn Leaf,
    mut after: Duration,
    counter: &Arc<WakeCounter>,
) -> Answer<BoxFuture> {
    loop {
        let mut timer = leaf.timer(after)?;
        if counter.poll(&mut timer).is_pending() {
            return Ok(timer);
        }
        after *= 2;
        assert!(after < leaf.longest(), "ready too early");
    }
}

/// Runs a timer to its end. Timers that share a driver tell it what they need in the order in which they are polled and
/// dropped, so by then the driver has done what it was told before.
pub(super) fn catch_up(leaf: &dyn Leaf) -> Answer {
    let counter = WakeCounter::new();
    counter.finish(&mut waiting(leaf, AT_ONCE, &counter)?);
    Ok(())
}

/// How many threads there are once there is everything that timers share. The threads of two timers may still be
/// among them, so a test starts enough timers for two more to make no difference.
pub(super) fn threads_at_rest(leaf: &dyn Leaf) -> Answer<usize> {
    catch_up(leaf)?;
    probe::threads().ok_or(Unsupported)
}

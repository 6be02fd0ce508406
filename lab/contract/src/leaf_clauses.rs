//! The clauses for leaf futures: those that wait for something outside. Each is tried on a timer.
//!
//! What a clause demands, and why, stands in its [`Clause`]. The doc of its function says how it is tested.

use std::time::Duration;

use crate::{Answer, Clause, Leaf, NotItsJob, Task, bell::Bell};

mod combination;
pub mod cost;
pub mod ends;
pub mod hostile;
pub mod time;
pub mod wake;

/// The clauses for leaf futures, by topic.
pub const TOPICS: &[&[Clause]] = &[
    wake::CLAUSES,
    cost::CLAUSES,
    ends::CLAUSES,
    time::CLAUSES,
    hostile::CLAUSES,
];

/// Longer than anybody will wait, and short enough that any clock can show it.
const THIRTY_YEARS: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// What nearly every test waits for.
const SOON: Duration = Duration::from_millis(20);

/// What is waited for many times in one test.
const AT_ONCE: Duration = Duration::from_millis(1);

/// Polls a timer that cannot be over.
fn poll_pending(bell: &std::sync::Arc<Bell>, timer: &mut Task) {
    assert!(bell.poll(timer).is_pending(), "ready, and years early");
}

/// Runs a timer to its end. Timers that share a driver tell it what they need in the order in which they are polled and
/// dropped, so by then the driver has done what it was told before.
fn catch_up(leaf: &dyn Leaf) -> Answer {
    Bell::new().finish(&mut leaf.timer(AT_ONCE)?);
    Ok(())
}

/// How many threads there are once there is everything that timers share. The thread of one timer may still be among
/// them, so a test starts enough timers for one more to make no difference.
fn threads_at_rest(leaf: &dyn Leaf) -> Answer<usize> {
    catch_up(leaf)?;
    probe::threads().ok_or(NotItsJob)
}

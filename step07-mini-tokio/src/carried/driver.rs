//! What runs on the reactor's thread: two versions, which receive the same events.

use std::time::Instant;

use crate::Id;

pub mod v1_thread_per_timer;
pub mod v2_one_thread;

/// A message to the reactor's thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// ANCHOR: event
pub enum Event {
    /// A timer was polled for the first time.
    Start {
        /// The timer.
        id: Id,
        /// When the timer has to finish.
        deadline: Instant,
    },
    /// No future waits for this timer any more, because it has finished or was dropped early.
    Forget(Id),
    /// The reactor was dropped.
    Close,
}
// ANCHOR_END: event

//! What runs on the reactor's thread: two versions, which are told the same.

use std::time::Instant;

use crate::Id;

pub mod v1_thread_per_timer;
pub mod v2_one_thread;

/// What the reactor's thread is told, over its channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// ANCHOR: event
pub enum Event {
    /// A timer was polled for the first time.
    Start {
        /// The timer.
        id: Id,
        /// When it is to be over.
        deadline: Instant,
    },
    /// Nobody waits for this timer any more: it is over, or was dropped before that.
    Forget(Id),
    /// The reactor was dropped.
    Close,
}
// ANCHOR_END: event

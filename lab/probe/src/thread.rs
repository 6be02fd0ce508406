//! [`std::thread`]'s, with an [`unpark`](std::thread::Thread::unpark) that a test can act behind.

pub use std::thread::{park, park_timeout, sleep, spawn, yield_now};

use crate::gap;

/// [`std::thread::Thread`]. That it has called [`unpark`](Thread::unpark) is a gap for [`in_gap`](crate::in_gap).
#[derive(Clone, Debug)]
pub struct Thread(std::thread::Thread);

/// The thread that calls this.
pub fn current() -> Thread {
    Thread(std::thread::current())
}

impl Thread {
    /// Leaves the thread its token, which ends its sleep or prevents the next one.
    pub fn unpark(&self) {
        self.0.unpark();
        gap::pass();
    }
}

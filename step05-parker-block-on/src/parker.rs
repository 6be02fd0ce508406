//! A thread sleeps until it is called.

use crate::sync::{Condvar, Mutex};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Lets one thread sleep, and any thread end that sleep.
///
/// A call that comes too early is kept: the next [`park`](Parker::park) returns at once. Several calls before one
/// `park` count as one.
///
/// ```
/// use step05_parker_block_on::Parker;
/// use std::thread;
///
/// let parker = Parker::default();
/// thread::scope(|scope| {
///     scope.spawn(|| parker.unpark());
///     parker.park();
/// });
/// ```
// ANCHOR: struct
#[derive(Debug, Default)]
pub struct Parker {
    /// `true`: called, and not answered yet.
    called: Mutex<bool>,
    changed: Condvar,
}
// ANCHOR_END: struct

impl Parker {
    // ANCHOR: park
    /// Blocks this thread until [`unpark`](Parker::unpark) has been called since the last
    /// `park` returned.
    pub fn park(&self) {
        let mut called = self.called.lock().expect(UNPOISONED);
        // A condition variable may return without having been notified, so look again.
        while !*called {
            called = self.changed.wait(called).expect(UNPOISONED);
        }
        *called = false;
    }
    // ANCHOR_END: park

    // ANCHOR: unpark
    /// Ends the sleep of the thread in [`park`](Parker::park), or the next one before it
    /// begins.
    pub fn unpark(&self) {
        *self.called.lock().expect(UNPOISONED) = true;
        self.changed.notify_one();
    }
    // ANCHOR_END: unpark
}

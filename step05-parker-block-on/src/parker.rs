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

#[cfg(all(test, not(loom)))]
mod tests {
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        thread,
        time::Duration,
    };

    use super::*;

    #[test]
    fn a_notification_without_a_call_ends_no_sleep() {
        probe::within(Duration::from_secs(10), || {
            let parker = Parker::default();
            let (begun, returned) = (AtomicBool::new(false), AtomicBool::new(false));
            thread::scope(|scope| {
                scope.spawn(|| {
                    begun.store(true, Ordering::SeqCst);
                    parker.park();
                    returned.store(true, Ordering::SeqCst);
                });
                while !begun.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                // It falls asleep any moment now, and then one of these finds it asleep.
                for _ in 0..25 {
                    thread::sleep(Duration::from_millis(1));
                    parker.changed.notify_all();
                }
                let too_early = returned.load(Ordering::SeqCst);
                parker.unpark();
                assert!(!too_early);
            });
        });
    }

    #[test]
    fn one_park_answers_all_calls_before_it() {
        let parker = Parker::default();
        for _ in 0..3 {
            parker.unpark();
        }
        parker.park();
        assert!(!*parker.called.lock().unwrap());
    }
}

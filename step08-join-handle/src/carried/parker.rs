//! A place where one thread sleeps until another thread ends the sleep.

use crate::sync::{Condvar, Mutex};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Lets one thread sleep, and lets any thread end that sleep.
///
/// An [`unpark`](Parker::unpark) that comes first is not lost: the next [`park`](Parker::park) returns at once. Several
/// unparks before one `park` count as one.
// ANCHOR: struct
#[derive(Debug, Default)]
pub struct Parker {
    /// `true`: unparked since the last `park`.
    token: Mutex<bool>,
    changed: Condvar,
}
// ANCHOR_END: struct

impl Parker {
    // ANCHOR: park
    /// Blocks the calling thread until there is a token, and takes the token.
    pub fn park(&self) {
        let mut token = self.token.lock().expect(UNPOISONED);
        // A condition variable may return without having been notified, so check again.
        while !*token {
            token = self.changed.wait(token).expect(UNPOISONED);
        }
        *token = false;
    }
    // ANCHOR_END: park

    // ANCHOR: unpark
    /// Leaves a token, and ends the sleep of the thread in [`park`](Parker::park), if there
    /// is one.
    pub fn unpark(&self) {
        *self.token.lock().expect(UNPOISONED) = true;
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
    fn a_notification_without_a_token_ends_no_sleep() {
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
                // The thread is about to fall asleep, so one of these notifications finds it asleep.
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
    fn one_park_takes_the_token_of_all_unparks_before_it() {
        let parker = Parker::default();
        for _ in 0..3 {
            parker.unpark();
        }
        parker.park();
        assert!(!*parker.token.lock().unwrap());
    }
}

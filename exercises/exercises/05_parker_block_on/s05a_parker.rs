//! s05a · complete · 12 minutes · chapter 05, "Park, unpark and block_on"
//!
//! A thread is to sleep in `park` until another thread calls `unpark`. A call may come before the sleep: then the
//! next `park` returns at once. Each `park` uses up what was called until then, so the one after it sleeps again.
//!
//! The flag and the condition variable are there. Write the bodies of `park` and `unpark`.
//!
//! Run: `cargo test --bin s05a_parker`, or save this file while `rustlings` runs.
//! Red: an assertion says which call went wrong. A `park` that sleeps too long is ended by the watchdog.

use std::sync::{Condvar, Mutex};

/// Lets one thread sleep, and any thread end that sleep.
#[derive(Default)]
struct Parker {
    /// `true`: called, and not answered yet.
    called: Mutex<bool>,
    changed: Condvar,
}

impl Parker {
    /// Blocks this thread until `unpark` has been called since the last `park` returned.
    fn park(&self) {
        // TODO: sleep while the flag says that nobody has called.
    }

    /// Ends the sleep of the thread in `park`, or the next one before it begins.
    fn unpark(&self) {
        // TODO: leave the call where `park` finds it, and end a sleep.
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{watch, within};
    use std::{
        sync::atomic::{AtomicBool, Ordering::SeqCst},
        thread,
        time::Duration,
    };
    use step05_parker_block_on::block_on;

    /// Parks this thread under the eyes of the watchdog.
    fn park(parker: &Parker, when: &str) {
        within(Duration::from_secs(2), || {
            block_on(watch(format!("park, {when}"), async { parker.park() }));
        });
    }

    #[test]
    fn a_sleep_lasts_until_the_call() {
        let (parker, called) = (Parker::default(), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(30));
                called.store(true, SeqCst);
                parker.unpark();
            });
            park(&parker, "called a moment later");
            assert!(
                called.load(SeqCst),
                "`park` returned, and nobody had called `unpark` yet. What does `park` do while the flag is `false`?"
            );
        });
    }

    #[test]
    fn a_call_that_comes_first_is_kept() {
        let parker = Parker::default();
        parker.unpark();
        park(&parker, "called before");
    }

    #[test]
    fn a_call_ends_one_sleep() {
        let (parker, called) = (Parker::default(), AtomicBool::new(false));
        parker.unpark();
        park(&parker, "called before");
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(30));
                called.store(true, SeqCst);
                parker.unpark();
            });
            park(&parker, "the second time");
            assert!(
                called.load(SeqCst),
                "the second `park` returned, and there had been one call. That call was answered by the first `park`: \
                 look at what `park` leaves in the flag."
            );
        });
    }

    #[test]
    fn a_notification_is_not_a_call() {
        let (parker, called) = (Parker::default(), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(|| {
                // As if `wait` returned for no reason, which it may.
                for _ in 0..20 {
                    thread::sleep(Duration::from_millis(2));
                    parker.changed.notify_all();
                }
                called.store(true, SeqCst);
                parker.unpark();
            });
            park(&parker, "notified and not called");
            assert!(
                called.load(SeqCst),
                "`changed` was notified, the flag was still `false`, and `park` returned. `wait` may return for no \
                 reason, so `park` must look at the flag again."
            );
        });
    }
}

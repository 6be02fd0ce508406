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
        // ANCHOR: slip
        let mut called = self.called.lock().unwrap();
        while !*called {
            called = self.changed.wait(called).unwrap();
        }
        // ANCHOR_END: slip
    }

    /// Ends the sleep of the thread in `park`, or the next one before it begins.
    fn unpark(&self) {
        // The flag is for the one who comes later, the notification for the one who sleeps already.
        *self.called.lock().unwrap() = true;
        self.changed.notify_one();
    }
}

fn main() {}

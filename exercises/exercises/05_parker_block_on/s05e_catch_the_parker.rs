//! s05e · prove · 15 minutes · chapter 05, "Park, unpark and block_on"
//!
//! Here you write the test. `check` gets a parker, and has to panic or to hang if the parker does not do what `Park` says.
//! It must let the good parker pass within a second. The tests run it on three: the good one, one that forgets an unpark
//! that comes before the sleep, and one that counts unparks instead of remembering one. A panic counts only on the thread
//! that calls `check`, so if a thread of yours asserts something, `join` it and `unwrap` the result.
//!
//! Run: `cargo test --bin s05e_catch_the_parker`, or save this file while `rustlings` runs.
//! Red: a test says which parker your check did not catch, or that it refused the good one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
};

/// What is tested.
trait Park: Send + Sync {
    /// Blocks this thread until `unpark` has been called since the last `park` returned.
    fn park(&self);

    /// Ends the sleep of the thread in `park`. If no thread is asleep, the next `park` returns at once. Several unparks
    /// before one `park` count as one.
    fn unpark(&self);

    /// For tests: returns once a thread sleeps in `park`, and has not been unparked since.
    fn wait_for_sleep(&self);
}

/// Panics, or does not return, if this is not a good parker.
fn check(parker: &Arc<dyn Park>) {
    once_asleep(parker);
    // TODO: and if `unpark` comes first? And if two unparks come first?
}

/// The sleep begins, and then it is ended. No time is waited for, so the answer is the same on a busy machine.
fn once_asleep(parker: &Arc<dyn Park>) {
    let unparked = Arc::new(AtomicBool::new(false));
    let unparking = thread::spawn({
        let (parker, unparked) = (Arc::clone(parker), Arc::clone(&unparked));
        move || {
            parker.wait_for_sleep();
            unparked.store(true, SeqCst);
            parker.unpark();
        }
    });
    parker.park();
    assert!(unparked.load(SeqCst), "park returned before the unpark");
    unparking.join().unwrap();
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s05e_catch_the_parker.rs"]
mod tests;

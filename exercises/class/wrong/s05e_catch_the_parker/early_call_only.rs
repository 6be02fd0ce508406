//! s05e · prove · 15 minutes · chapter 05, "Park, unpark and block_on"
//!
//! Here you write the test. `check` is given a parker, and has to panic or to hang if the parker does not do what
//! `Park` says. It must let the good parker pass within a second. It will be run on three: the good one, one that
//! forgets a call that comes before the sleep, and one that keeps every call instead of one.
//!
//! Run: `cargo test --bin s05e_catch_the_parker`, or save this file while `rustlings` runs.
//! Red: a test says which parker your check did not catch, or that it refused the good one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

/// What is tested.
trait Park: Send + Sync {
    /// Blocks this thread until `unpark` has been called since the last `park` returned.
    fn park(&self);

    /// Ends the sleep of the thread in `park`, or the next one before it begins. Several calls before one `park` count
    /// as one.
    fn unpark(&self);
}

/// Panics, or does not return, if this is not a good parker.
fn check(parker: &Arc<dyn Park>) {
    a_moment_later(parker);
    // ANCHOR: slip
    parker.unpark();
    parker.park();
    // ANCHOR_END: slip
}

/// The sleep begins, and a moment later it is ended.
fn a_moment_later(parker: &Arc<dyn Park>) {
    let called = Arc::new(AtomicBool::new(false));
    let caller = thread::spawn({
        let (parker, called) = (Arc::clone(parker), Arc::clone(&called));
        move || {
            thread::sleep(Duration::from_millis(20));
            called.store(true, SeqCst);
            parker.unpark();
        }
    });
    parker.park();
    assert!(called.load(SeqCst), "park returned before the call");
    caller.join().unwrap();
}

fn main() {}

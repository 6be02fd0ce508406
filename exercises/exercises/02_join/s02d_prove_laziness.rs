//! s02d · prove · 12 minutes · chapter 02, "Two futures at once"
//!
//! The timer of the async-book starts its thread when it is created, although it may never be polled. Write a test that
//! catches such a timer. Your test must also catch a timer that starts a thread at every poll, and one that never
//! starts any. It must accept the good one.
//!
//! You write the body of `test_timer`. `make` creates a timer, and `starts()` says how many threads the timers have
//! started so far.
//!
//! Run: `cargo test --bin s02d_prove_laziness`
//! Red: which broken version your test did not catch, or that it failed on the good one.

use std::cell::Cell;
use step02_join::{Poll, SimpleFuture};

type Timer = Box<dyn SimpleFuture<Output = ()>>;

thread_local!(static STARTS: Cell<u32> = const { Cell::new(0) });

/// How many threads the timers have started since the test began.
fn starts() -> u32 {
    STARTS.get()
}

/// `make` creates a timer that stays pending until the test is over.
fn test_timer(make: &dyn Fn() -> Timer) {
    // TODO: create a timer, check `starts()`, poll the timer, check again.
    // A poll is `timer.poll(|| {})`.
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s02d_prove_laziness.rs"]
mod tests;

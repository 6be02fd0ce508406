//! s02d, solved: no start before the first poll, one at it, none after it.

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
    let mut timer = make();
    // Only here does a lazy timer differ from an eager one. After the first poll, both have started one thread.
    assert!(starts() == 0, "started before the first poll");
    assert!(timer.poll(|| {}) == Poll::Pending, "ready too early");
    assert!(starts() == 1, "not started by the first poll");
    assert!(timer.poll(|| {}) == Poll::Pending, "ready too early");
    assert!(starts() == 1, "started again by the second poll");
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s02d_prove_laziness.rs"]
mod tests;

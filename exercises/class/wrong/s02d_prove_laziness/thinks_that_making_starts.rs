use std::cell::Cell;
use step02_join::{Poll, SimpleFuture};

type Timer = Box<dyn SimpleFuture<Output = ()>>;

thread_local!(static STARTS: Cell<u32> = const { Cell::new(0) });

/// How many threads the timers have started since the test began.
fn starts() -> u32 {
    STARTS.get()
}

/// `make` makes a timer that will not be ready before the test is over.
fn test_timer(make: &dyn Fn() -> Timer) {
    let mut timer = make();
    // This line alone tells a lazy timer from an eager one: after the first poll they look alike.
    // ANCHOR: slip
    assert!(starts() == 1, "not started");
    // ANCHOR_END: slip
    assert!(timer.poll(|| {}) == Poll::Pending, "ready too early");
    assert!(starts() == 1, "not started by the first poll");
    assert!(timer.poll(|| {}) == Poll::Pending, "ready too early");
    assert!(starts() == 1, "started again by the second poll");
}

fn main() {}

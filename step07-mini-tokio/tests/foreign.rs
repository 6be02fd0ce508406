//! A panic of foreign code harms nothing else, whichever call of such code it is that panics: every other task ends, and every
//! future is dropped.

use std::sync::Arc;

use probe::foreign::{Foreign, Panics};
use properties::foreign::{at_every_call, yields};
use step07_mini_tokio::MiniTokio;

#[test]
fn a_panic_of_foreign_code_harms_nothing_else() {
    let mut panics = Panics::caught_by(&["contain"]);
    at_every_call(&mut panics, tasks_end);
    // Stage 06 does the same to its timers.
    panics.assert_reached_all(env!("CARGO_MANIFEST_DIR"), &["bin/", "carried/timers.rs"]);
}

/// Three tasks run, three are dropped with their runtime, and one is refused.
fn tasks_end(foreign: &Foreign) {
    let there = Arc::new(());
    let mini_tokio = MiniTokio::new();
    let handle = mini_tokio.handle();
    for _ in 0..3 {
        handle.spawn(yields(foreign, &there));
    }
    mini_tokio.run();
    assert_eq!(Arc::strong_count(&there), 1, "a future was kept");
    for _ in 0..3 {
        handle.spawn(yields(foreign, &there));
    }
    drop(mini_tokio);
    handle.spawn(yields(foreign, &there));
    assert_eq!(Arc::strong_count(&there), 1, "a future was kept");
}

//! A panic of foreign code harms nothing else, whichever call of such code it is that panics: every other task ends, and every
//! future is dropped.

use std::sync::Arc;

use probe::foreign::Panics;
use properties::foreign::{at_every_call, yields};
use step04_channel_executor::{
    local, v1_looks_every_10_ms, v2_sends_again, v3_polls_when_woken, v4_cleans_up,
};

/// Three tasks, of which each is polled twice, on the executors that this makes. One runs, one is dropped with its tasks, and one
/// is gone before the tasks are spawned.
macro_rules! three_executors {
    ($panics:ident, $executor:expr) => {
        at_every_call(&mut $panics, |foreign| {
            let there = Arc::new(());
            let (executor, spawner) = $executor;
            for _ in 0..3 {
                spawner.spawn(yields(foreign, &there));
            }
            drop(spawner);
            executor.run();
            assert_eq!(Arc::strong_count(&there), 1, "a future was kept");

            let (executor, spawner) = $executor;
            for _ in 0..3 {
                spawner.spawn(yields(foreign, &there));
            }
            drop(executor);
            for _ in 0..3 {
                spawner.spawn(yields(foreign, &there));
            }
            drop(spawner);
            assert_eq!(Arc::strong_count(&there), 1, "a future was kept");
        });
    };
}

#[test]
fn a_panic_of_foreign_code_harms_nothing_else() {
    let mut panics = Panics::caught_by(&["contain"]);
    three_executors!(panics, v1_looks_every_10_ms::executor());
    three_executors!(panics, v2_sends_again::executor());
    three_executors!(panics, v3_polls_when_woken::executor());
    three_executors!(panics, v4_cleans_up::executor());
    three_executors!(panics, local::executor());
    panics.assert_reached_all(env!("CARGO_MANIFEST_DIR"), &["bin/", "demo/"]);
}

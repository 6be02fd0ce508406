//! A panic of foreign code harms nothing else, whichever call of such code it is that panics: every other task ends, and every
//! future is dropped.

use std::{future::poll_fn, sync::Arc, task::Poll, time::Duration};

use probe::{
    foreign::{Foreign, Panics},
    within,
};
use step07_mini_tokio::MiniTokio;

const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn a_panic_of_foreign_code_harms_nothing_else() {
    let mut panics = Panics::default();
    panics.at_every_call(|foreign| within(LIMIT, || tasks_end(foreign)));
    // Stage 06 does the same to its timers.
    panics.assert_reached_all(env!("CARGO_MANIFEST_DIR"), &["bin/", "carried/timers.rs"]);
}

/// Three tasks run, three are dropped with their runtime, and one is refused.
fn tasks_end(foreign: &Foreign) {
    let there = Arc::new(());
    let mini_tokio = MiniTokio::new();
    let handle = mini_tokio.handle();
    for _ in 0..3 {
        handle.spawn(task(foreign, &there));
    }
    mini_tokio.run();
    assert_eq!(Arc::strong_count(&there), 1, "a future was kept");
    for _ in 0..3 {
        handle.spawn(task(foreign, &there));
    }
    drop(mini_tokio);
    handle.spawn(task(foreign, &there));
    assert_eq!(Arc::strong_count(&there), 1, "a future was kept");
}

/// Is polled twice.
fn task(foreign: &Foreign, there: &Arc<()>) -> impl Future<Output = ()> + Send + use<> {
    let (there, mut yielded) = (Arc::clone(there), false);
    foreign.future(async move {
        poll_fn(|cx| {
            if yielded {
                return Poll::Ready(());
            }
            yielded = true;
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        drop(there);
    })
}

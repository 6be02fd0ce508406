//! Stage 08: a task is woken on one worker while another one polls it.

use std::{future::poll_fn, hint, sync::mpsc, task::Poll, time::Instant};

use probe::{Recording, record, watch};
use step08_join_handle::Runtime;

use crate::SHORT;

pub fn woken_in_poll() -> Recording {
    record(|| {
        let runtime = Runtime::new(2);
        let spawner = runtime.handle();
        let (polled, is_polled) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let mut other_ends = Some(released);
        let task = poll_fn(move |cx| {
            let Some(released) = other_ends.take() else {
                return Poll::Ready(());
            };
            polled.send(()).expect("main waits for it");
            let end = Instant::now() + SHORT; // by then, main has polled the handle
            compute_until(|| Instant::now() >= end);
            let (begin, begun) = mpsc::channel();
            let waker = cx.waker().clone();
            let sender = watch("sender", async { waker.wake() });
            let other = watch("other", async move {
                begin.send(()).expect("the task waits for it");
                // Keeps worker 2, so that worker 1 is the one that polls the task again.
                let _ = released.recv();
            });
            drop((spawner.spawn(sender), spawner.spawn(other)));
            compute_until(|| begun.try_recv().is_ok()); // by then, worker 2 polls `other`
            Poll::Pending
        });
        let handle = runtime.spawn(watch("task", task));
        is_polled.recv().expect("worker 1 polls it");
        let joined = runtime.block_on(watch("handle", handle));
        joined.expect("the task does not panic");
        drop(release);
        runtime.shutdown();
    })
}

/// The poll does not sleep meanwhile, so the picture shows a worker that is busy.
fn compute_until(done: impl Fn() -> bool) {
    while !done() {
        hint::spin_loop();
    }
}

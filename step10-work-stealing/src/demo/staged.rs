//! What the demos share: tasks that keep their worker, so that the counts don't depend on luck, and sums of counts.

use std::{sync::mpsc, thread, time::Duration};

use futures::executor::block_on;
use step10_work_stealing::{Handle, JoinHandle, Runtime, WorkerMetrics};

/// A task that keeps its worker until this is dropped.
pub struct Held {
    _release: mpsc::Sender<()>,
}

/// Spawns a task that keeps its worker, and waits until a worker has it.
pub fn hold_a_worker(runtime: &Runtime) -> Held {
    let (begin, begun) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    drop(runtime.spawn(async move {
        begin.send(()).expect("`hold_a_worker` waits for it");
        let _ = released.recv(); // an error, because the sender is dropped
    }));
    begun.recv().expect("the task is polled");
    Held { _release: release }
}

/// Waits without giving up the thread, on purpose.
pub fn block_until(mut done: impl FnMut() -> bool) {
    while !done() {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Waits for a task that does not panic.
pub fn join<T>(handle: JoinHandle<T>) -> T {
    block_on(handle).expect("no task panics")
}

/// A count of all workers together.
pub fn sum(handle: &Handle, count: impl Fn(&WorkerMetrics) -> u64) -> u64 {
    handle.metrics().iter().map(count).sum()
}

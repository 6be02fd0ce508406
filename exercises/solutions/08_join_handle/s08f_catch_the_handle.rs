//! s08f · prove · 15 minutes · chapter 08, "Join handles and worker threads"
//!
//! Here you write the test. `check` is given a worker and its join handles. It has to panic if they break a promise of
//! `Handle`, and to let the good ones pass. The broken ones forget to wake, wake the task that polled first, let an abort
//! take an output that was there already, cancel a task when its handle is dropped, or keep an output that no code can get
//! any more.
//!
//! Run: `cargo test --bin s08f_catch_the_handle`, or save this file while `rustlings` runs.
//! Red: a test says which handles your check did not catch, or that it refused the good ones. A check that hangs has not caught
//! them, because it does not say what is broken.

use probe::{Counted, CountingWaker, Counts};
use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

/// What a task returns. If you keep a clone, `Arc::strong_count` says whether the task's output was dropped.
type Output = Arc<()>;

/// What the check is given: one worker, which works only when you call `work`.
trait Worker {
    fn spawn(&self, future: Pin<Box<dyn Future<Output = Output> + Send>>) -> BoxedHandle;

    /// Polls the tasks that are in the queue, until it is empty.
    fn work(&self);
}

/// A join handle. It promises:
///
/// 1. If the handle was pending, the waker of its *latest* poll is called when the task finishes.
/// 2. Then the handle is ready, with `Some(output)`. An `abort` after the task has finished does not change that.
/// 3. If the handle is dropped, the task runs on, and its output is dropped when it finishes. If it has finished already,
///    its output is dropped with the handle.
trait Handle: Future<Output = Option<Output>> {
    fn abort(&self);
}

type BoxedHandle = Pin<Box<dyn Handle>>;

/// Panics if these handles break a promise.
fn check(worker: &dyn Worker) {
    let mut handle = worker.spawn(Box::pin(async { Arc::new(()) }));
    let (first, task) = (CountingWaker::new(), CountingWaker::new());
    // Another task had the handle before.
    assert!(poll(&mut handle, &first).is_pending(), "ready too early");
    assert!(poll(&mut handle, &task).is_pending(), "ready too early");
    let before = task.wakes();
    worker.work();
    assert!(task.wakes() > before, "finished without a wake");
    handle.abort();
    let answer = poll(&mut handle, &task);
    assert!(matches!(answer, Poll::Ready(Some(_))), "no output");

    // Dropped before the task runs.
    let output = Arc::new(());
    let (counts, handle) = spawn(worker, &output);
    drop(handle);
    worker.work();
    assert_eq!(counts.completions(), 1, "a task without a handle runs on");
    assert_eq!(Arc::strong_count(&output), 1, "its output is kept");

    // Dropped after the task has finished.
    let (_, handle) = spawn(worker, &output);
    worker.work();
    drop(handle);
    assert_eq!(Arc::strong_count(&output), 1, "the output is kept");
}

/// Spawns a task that returns a clone of `output`.
fn spawn(worker: &dyn Worker, output: &Output) -> (Counts, BoxedHandle) {
    let output = Arc::clone(output);
    let future = Counted::new(async { output });
    (future.counts(), worker.spawn(Box::pin(future)))
}

/// Polls the handle, in a task that this waker wakes.
fn poll(handle: &mut BoxedHandle, task: &CountingWaker) -> Poll<Option<Output>> {
    handle
        .as_mut()
        .poll(&mut Context::from_waker(&task.waker()))
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08f_catch_the_handle.rs"]
mod tests;

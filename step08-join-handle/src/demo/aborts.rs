//! What an abort does to a task: that depends on the task's state.

use std::{
    future::{pending, poll_fn},
    sync::mpsc,
    task::Poll,
};

use futures::executor::block_on;
use step08_join_handle::Runtime;

use super::counts::Counts;

/// Aborts a task in each of its states.
pub fn show() {
    println!("4. A task is aborted at five different moments. What does its handle return?");
    let runtime = Runtime::new(1);
    idle(&runtime);
    queued(&runtime);
    running(
        &runtime,
        "during a poll that returns Pending",
        Poll::Pending,
    );
    running(
        &runtime,
        "during a poll that returns Ready",
        Poll::Ready(42),
    );
    finished(&runtime);
}

fn idle(runtime: &Runtime) {
    let counts = Counts::default();
    let handle = runtime.spawn(counts.of(pending()));
    one_turn(runtime);
    handle.abort();
    counts.show("while the task waits for a wake", handle);
}

fn queued(runtime: &Runtime) {
    let counts = Counts::default();
    let (release, released) = mpsc::channel::<()>();
    let _busy = runtime.spawn(async move { released.recv() });
    let handle = runtime.spawn(counts.of(async { 42 }));
    handle.abort();
    drop(release); // ends the `recv`, which keeps the worker busy
    counts.show("while it is in the queue for the first time", handle);
}

fn running(runtime: &Runtime, state: &str, answer: Poll<u32>) {
    let counts = Counts::default();
    let (begin, begun) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let handle = runtime.spawn(counts.of(poll_fn(move |_| {
        begin.send(()).expect("`running` waits for it");
        let _ = released.recv(); // an error, because the sender is dropped
        answer
    })));
    begun.recv().expect("the task is polled");
    handle.abort();
    drop(release); // ends the `recv` in the poll
    counts.show(state, handle);
}

fn finished(runtime: &Runtime) {
    let counts = Counts::default();
    let handle = runtime.spawn(counts.of(async { 42 }));
    one_turn(runtime);
    handle.abort();
    counts.show("after the task has finished", handle);
}

/// Waits until everything that is in the queue of this one worker has been polled once.
pub fn one_turn(runtime: &Runtime) {
    block_on(runtime.spawn(async {})).expect("this task is not aborted");
}

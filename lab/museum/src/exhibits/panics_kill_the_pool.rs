//! A pool that loses a worker with each task that panics, and the panic's message too.
//!
//! The panic unwinds the loop of the worker. On its way it drops the task, and with it the sending end of the task's
//! handle. So the handle learns that there will be no output, and not why.

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Waker},
};

use futures::{FutureExt, channel::oneshot};

use crate::{
    Breaks, Exhibit, Fails,
    props::{
        BoxFuture,
        queue::{Queue, with_workers},
    },
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "panics-kill-the-pool",
    title: "two tasks panic, and a pool of two workers runs nothing any more",
    was_in: "document 001, versions 1 to 3 (D14); the message is lost in all versions (D15)",
    breaks: Breaks::Clause("a_panic_is_contained"),
    chapter: 8,
    fails: Fails::Prints("task 1: oneshot canceled; task 3: not done; workers left: 0 of 2"),
    why: "a panic in a poll unwinds the worker's loop, and each of the two tasks ends one worker. So \
          task 3 stays in the queue. The handle of task 1 gets Canceled, because the sender is dropped. The twin \
          catches the panic in the task and sends it to the handle like an output.",
    passes: "task 1: this task panics; task 3: 42; workers left: 2 of 2",
    broken: || show(spawn_broken),
    repaired: || show(spawn_repaired),
};

type JoinHandle = Pin<Box<dyn Future<Output = Result<u32, String>> + Send>>;
type Output = Pin<Box<dyn Future<Output = u32> + Send>>;

// ANCHOR: broken
fn spawn_broken(queue: &Queue<BoxFuture>, future: Output) -> JoinHandle {
    let (sender, receiver) = oneshot::channel();
    let task = async {
        let _ = sender.send(future.await);
    };
    queue.push(Box::pin(task)).unwrap();
    Box::pin(async { receiver.await.map_err(|canceled| canceled.to_string()) })
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn spawn_repaired(queue: &Queue<BoxFuture>, future: Output) -> JoinHandle {
    let (sender, receiver) = oneshot::channel();
    let task = async {
        // After a panic this future is not polled again, so it may be left half way.
        let _ = sender.send(AssertUnwindSafe(future).catch_unwind().await);
    };
    queue.push(Box::pin(task)).unwrap();
    Box::pin(async {
        let output = receiver.await.map_err(|canceled| canceled.to_string())?;
        output.map_err(|payload| contract::message(&*payload).to_owned())
    })
}
// ANCHOR_END: repaired

fn show(spawn: fn(&Queue<BoxFuture>, Output) -> JoinHandle) {
    let queue: Arc<Queue<BoxFuture>> = Queue::for_workers(2);
    let first = spawn(&queue, Box::pin(async { panic!("this task panics") }));
    let _second = spawn(&queue, Box::pin(async { panic!("this task panics") }));
    let third = spawn(&queue, Box::pin(async { 42 }));
    let work = || {
        while let Some(mut task) = queue.pop() {
            let _ = task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        }
    };
    with_workers(&queue, work, || {
        let left = queue.until_idle(0);
        let [first, third] = [first, third].map(|handle| match handle.now_or_never() {
            Some(Ok(output)) => output.to_string(),
            Some(Err(error)) => error,
            None => "not done".to_owned(),
        });
        println!("task 1: {first}; task 3: {third}; workers left: {left} of 2");
    });
}

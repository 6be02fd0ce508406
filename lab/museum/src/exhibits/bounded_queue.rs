//! An executor whose queue has room for four.
//!
//! A send to a full queue waits until there is room. Only the executor makes room, and here it is the executor that
//! waits, because a task wakes itself in its poll more often than there is room.

use std::{
    future::poll_fn,
    sync::{Arc, mpsc},
    task::Poll,
};

use crate::{Exhibit, Fails, props::Task};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "bounded-queue",
    title: "a queue with room for four, and a task that wakes itself five times",
    was_in: "\"Future and scheduling\", `sync_channel(4)`; async-book before #189",
    breaks: "A task may wait for 1,000 things, and all of them may wake it within one poll.",
    chapter: 4,
    fails: Fails::Hangs("is inside poll, and poll does not return"),
    why: "the fifth wake blocks in `send`, inside the poll, on the one thread that could empty the queue. The \
          fixed version's queue has no bound. A better fix lets each task be in the queue once at most, as \
          version 3 of chapter 04 does.",
    passes: "the task is done",
    broken: run_broken,
    repaired: run_repaired,
};

// ANCHOR: broken
fn run_broken() {
    let (sender, queue) = mpsc::sync_channel(4);
    let wakes = sender.clone();
    let task = Task::new(five_at_once(), move |task| wakes.send(task).unwrap());
    sender.send(task).unwrap();
    run(queue);
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn run_repaired() {
    let (sender, queue) = mpsc::channel();
    let wakes = sender.clone();
    let task = Task::new(five_at_once(), move |task| wakes.send(task).unwrap());
    sender.send(task).unwrap();
    run(queue);
}
// ANCHOR_END: repaired

fn run(queue: mpsc::Receiver<Arc<Task>>) {
    for task in queue {
        if task.poll() {
            println!("the task is done");
            return;
        }
    }
}

/// Five things that it waits for happen at once.
fn five_at_once() -> impl Future<Output = ()> + Send {
    let mut polled = false;
    let future = poll_fn(move |cx| {
        if polled {
            return Poll::Ready(());
        }
        polled = true;
        for _ in 0..5 {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    });
    probe::watch("five", future)
}

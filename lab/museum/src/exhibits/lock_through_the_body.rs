//! `while let Some(task) = queue.lock().unwrap().pop_front()`, with the poll in the body.
//!
//! The guard is a temporary of the condition, and the temporaries of a `while let` live until the end of the body. So
//! the queue is locked while the task is polled.

use std::{collections::VecDeque, sync::Arc};

use probe::Mutex;

use crate::{
    Breaks, Exhibit, Fails,
    props::{Task, yields},
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "lock-through-the-body",
    title: "the queue stays locked while a task is polled",
    was_in: "document 002, the executor's loop (D28)",
    breaks: Breaks::Clause("woken_in_poll"),
    chapter: 4,
    fails: Fails::Hangs("waits inside poll for a lock that its own thread already holds"),
    why: "the task wakes itself, and the wake needs the queue, which is locked by the very line that polls. \
          The twin takes the task out in a function of its own, whose guard is dropped when the function \
          returns.",
    passes: "the task is done",
    broken: || show(run_broken),
    repaired: || show(run_repaired),
};

type Queue = Mutex<VecDeque<Arc<Task>>>;

// ANCHOR: broken
fn run_broken(queue: &Queue) {
    while let Some(task) = queue.lock().unwrap().pop_front() {
        task.poll();
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn run_repaired(queue: &Queue) {
    let next = || queue.lock().unwrap().pop_front();
    while let Some(task) = next() {
        task.poll();
    }
}
// ANCHOR_END: repaired

fn show(run: fn(&Queue)) {
    let queue = Arc::new(Queue::default());
    let wakes = Arc::clone(&queue);
    let task = Task::new(probe::watch("wakes itself", yields(1)), move |task| {
        wakes.lock().unwrap().push_back(task);
    });
    queue.lock().unwrap().push_back(task);
    run(&queue);
    println!("the task is done");
}

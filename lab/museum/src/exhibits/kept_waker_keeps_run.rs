//! An executor that returns when every sender of its channel is gone.
//!
//! A waker holds a task, and a task holds a sender. So one waker that is kept, in a `static` or in a timer of an hour,
//! keeps the channel open although every task is finished.

use std::{
    future::poll_fn,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver},
    },
    task::{Poll, Waker},
};

use crate::{Breaks, Exhibit, Fails, props::Task};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "kept-waker-keeps-run",
    title: "all tasks are finished, a waker is kept, and run goes on",
    was_in: "document 000, `Executor::run` (D09); async-book, examples/02_04_executor",
    breaks: Breaks::Clause("waker_outlives"),
    chapter: 4,
    fails: Fails::Hangs("every watched future is ready or dropped, but the run does not end"),
    why: "`recv` fails once there is no sender left, but the kept waker holds one. The twin counts the \
          unfinished tasks and returns when there is none, whatever wakers still exist.",
    passes: "run has returned",
    broken: || show(run_broken),
    repaired: || show(run_repaired),
};

static KEPT: Mutex<Option<Waker>> = Mutex::new(None);

// ANCHOR: broken
fn run_broken(queue: &Receiver<Arc<Task>>, _tasks: usize) {
    while let Ok(task) = queue.recv() {
        task.poll();
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn run_repaired(queue: &Receiver<Arc<Task>>, tasks: usize) {
    let mut unfinished = tasks;
    while unfinished > 0 {
        let Ok(task) = queue.recv() else { return };
        if task.poll() {
            unfinished -= 1;
        }
    }
}
// ANCHOR_END: repaired

fn show(run: fn(&Receiver<Arc<Task>>, usize)) {
    let (sender, queue) = mpsc::channel();
    let wakes = sender.clone();
    let keeps_its_waker = poll_fn(|cx| {
        *KEPT.lock().unwrap() = Some(cx.waker().clone());
        Poll::Ready(())
    });
    let task = Task::new(
        probe::watch("keeps its waker", keeps_its_waker),
        move |task| wakes.send(task).unwrap(),
    );
    sender.send(task).unwrap();
    drop(sender);
    run(&queue, 1);
    println!("run has returned");
}

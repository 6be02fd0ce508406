//! An executor that takes a task's future out to poll it, and does not put it back.
//!
//! Taking it out is right, because no other thread can then poll it. But a future that is Pending has to go back.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, Receiver},
    },
    task::{Context, Waker},
};

use crate::{
    Breaks, Exhibit, Fails,
    props::{Task, yields},
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "task-vanishes",
    title: "a future is taken out to be polled, and not put back",
    was_in: "document 000, the first half of `Executor::run` (D03)",
    breaks: Breaks::Clause("finishes"),
    chapter: 4,
    fails: Fails::Prints("run has returned; tasks done: 0 of 1"),
    why: "the future was Pending, and it was dropped at the end of the loop's body. Its wake finds a task \
          without a future. There is no message and no panic, but the line after the `.await` never runs. \
          The twin puts the future back.",
    passes: "run has returned; tasks done: 1 of 1",
    broken: || show(run_broken),
    repaired: || show(run_repaired),
};

// ANCHOR: broken
fn run_broken(queue: &Receiver<Arc<Task>>) {
    while let Ok(task) = queue.try_recv() {
        let waker = Waker::from(Arc::clone(&task));
        let mut slot = task.future.lock().unwrap();
        if let Some(mut future) = slot.take() {
            let _ = future.as_mut().poll(&mut Context::from_waker(&waker));
        }
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn run_repaired(queue: &Receiver<Arc<Task>>) {
    while let Ok(task) = queue.try_recv() {
        let waker = Waker::from(Arc::clone(&task));
        let mut slot = task.future.lock().unwrap();
        if let Some(mut future) = slot.take() {
            let poll = future.as_mut().poll(&mut Context::from_waker(&waker));
            if poll.is_pending() {
                *slot = Some(future);
            }
        }
    }
}
// ANCHOR_END: repaired

fn show(run: fn(&Receiver<Arc<Task>>)) {
    let done = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&done);
    let (sender, queue) = mpsc::channel();
    let wakes = sender.clone();
    let task = Task::new(
        async move {
            yields(1).await;
            counted.fetch_add(1, Ordering::Relaxed);
        },
        move |task| wakes.send(task).unwrap(),
    );
    sender.send(task).unwrap();
    run(&queue);
    let done = done.load(Ordering::Relaxed);
    println!("run has returned; tasks done: {done} of 1");
}

//! A task that wakes itself twice in each poll, beside a task that wakes itself once.
//!
//! Without a flag for "already queued", two wakes are two entries in the queue, and each of these makes two more. The
//! neighbour's single entry waits behind all of them.

use std::{
    collections::VecDeque,
    future::poll_fn,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::Poll,
};

use crate::{Breaks, Exhibit, Fails, props::Task};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "greedy-task",
    title: "a task that wakes itself twice crowds out its neighbour",
    was_in: "document 004, mini-tokio (D45)",
    breaks: Breaks::Clause("a_million_wakes"),
    chapter: 7,
    fails: Fails::Prints("of 10,000 polls, the neighbour got 13"),
    why: "the number of entries doubles with each round of the queue, and a task's share of the queue is its \
          share of the polls. In the twin a task is in the queue once, however often it is woken, so each \
          task gets half.",
    passes: "of 10,000 polls, the neighbour got 5,000",
    broken: || show(wake_broken),
    repaired: || show(wake_repaired),
};

#[derive(Default)]
struct Queue {
    tasks: Mutex<VecDeque<Arc<Task>>>,
}

// ANCHOR: broken
fn wake_broken(task: Arc<Task>, _is_queued: &AtomicBool, queue: &Queue) {
    queue.tasks.lock().unwrap().push_back(task);
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn wake_repaired(task: Arc<Task>, is_queued: &AtomicBool, queue: &Queue) {
    if !is_queued.swap(true, Ordering::AcqRel) {
        queue.tasks.lock().unwrap().push_back(task);
    }
}
// ANCHOR_END: repaired

type Wakes = fn(Arc<Task>, &AtomicBool, &Queue);

/// A task that wakes itself so often in each poll, forever.
fn spawn(times: usize, polls: &Arc<AtomicUsize>, queue: &Arc<Queue>, wake: Wakes) {
    let is_queued = Arc::new(AtomicBool::new(true));
    let (polls, begins) = (Arc::clone(polls), Arc::clone(&is_queued));
    let future = poll_fn(move |cx| {
        // In an executor the run loop does this, just before it polls.
        begins.swap(false, Ordering::AcqRel);
        polls.fetch_add(1, Ordering::Relaxed);
        (0..times).for_each(|_| cx.waker().wake_by_ref());
        Poll::Pending
    });
    let wakes = Arc::downgrade(queue);
    let task = Task::new(future, move |task| {
        wake(task, &is_queued, &wakes.upgrade().expect("it runs"));
    });
    queue.tasks.lock().unwrap().push_back(task);
}

fn show(wake: Wakes) {
    let queue = Arc::default();
    let (greedy, neighbour) = (Arc::default(), Arc::default());
    spawn(2, &greedy, &queue, wake);
    spawn(1, &neighbour, &queue, wake);
    for _ in 0..10_000 {
        let next = queue.tasks.lock().unwrap().pop_front();
        next.expect("both wake themselves").poll();
    }
    let got = match neighbour.load(Ordering::Relaxed) {
        5_000 => "5,000".to_owned(),
        got => got.to_string(),
    };
    println!("of 10,000 polls, the neighbour got {got}");
}

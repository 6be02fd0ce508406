//! A worker that always polls the task in its slot first, where the task is that was woken last.
//!
//! Two tasks that send each other messages are in the slot by turns. The worker never gets to its queue, in which a third
//! task waits.

use std::{
    collections::VecDeque,
    future::poll_fn,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::Poll,
};

use futures::{
    StreamExt,
    channel::mpsc::{self, UnboundedReceiver, UnboundedSender},
};

use crate::{Exhibit, Fails, props::Task};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "lifo-slot-starves",
    title: "two tasks that wake each other keep a third one from being polled",
    was_in: "tokio before 0.2.14, whose slot had no limit (#2349), and before 1.29.0 for tasks that use up no budget \
             (#5686, #5712); here as the smallest worker",
    breaks: "a task that is in a queue is polled after a number of other polls that has a limit",
    chapter: 10,
    fails: Fails::Prints("of 10,000 polls, the third task got 0"),
    why: "each poll of one puts the other one into the slot, so the slot is never empty when the worker looks. In \
          the fixed version, the slot has a limit: after three polls from the slot in a row, what is in it goes to \
          the back of the queue, and the task at the front of the queue is polled.",
    passes: "of 10,000 polls, the third task got 1,999",
    broken: || show(next_broken),
    repaired: || show(next_repaired),
};

#[derive(Default)]
struct Worker {
    /// What was woken last.
    slot: Option<Arc<Task>>,
    queue: VecDeque<Arc<Task>>,
    /// How many polls in a row were of the task in the slot. Only the fixed version counts them.
    in_a_row: usize,
}

// ANCHOR: broken
/// What the worker polls next.
fn next_broken(worker: &mut Worker) -> Option<Arc<Task>> {
    worker.slot.take().or_else(|| worker.queue.pop_front())
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// What the worker polls next.
fn next_repaired(worker: &mut Worker) -> Option<Arc<Task>> {
    if worker.in_a_row == 3 {
        worker.queue.extend(worker.slot.take());
    }
    if let Some(task) = worker.slot.take() {
        worker.in_a_row += 1;
        return Some(task);
    }
    worker.in_a_row = 0;
    worker.queue.pop_front()
}
// ANCHOR_END: repaired

/// Sends back each message that it gets.
async fn echo(mut from: UnboundedReceiver<()>, to: UnboundedSender<()>) {
    while let Some(message) = from.next().await {
        let _ = to.unbounded_send(message);
    }
}

fn show(next: fn(&mut Worker) -> Option<Arc<Task>>) {
    let worker = Arc::new(Mutex::new(Worker::default()));

    let (serve, ping) = mpsc::unbounded();
    let (answer, pong) = mpsc::unbounded();
    serve.unbounded_send(()).unwrap();
    for future in [echo(ping, answer), echo(pong, serve)] {
        let wakes = Arc::downgrade(&worker);
        let task = Task::new(future, move |task| {
            let Some(worker) = wakes.upgrade() else { return };
            let mut worker = worker.lock().unwrap();
            // What was in the slot before goes to the queue.
            let earlier = worker.slot.replace(task);
            worker.queue.extend(earlier);
        });
        worker.lock().unwrap().queue.push_back(task);
    }

    let polls = Arc::new(AtomicUsize::new(0));
    let counts = Arc::clone(&polls);
    let third = poll_fn(move |cx| {
        counts.fetch_add(1, Ordering::Relaxed);
        cx.waker().wake_by_ref();
        Poll::Pending
    });
    let wakes = Arc::downgrade(&worker);
    // It yields, so it goes to the back of the queue.
    let third = Task::new(third, move |task| {
        let Some(worker) = wakes.upgrade() else { return };
        worker.lock().unwrap().queue.push_back(task);
    });
    worker.lock().unwrap().queue.push_back(third);

    for _ in 0..10_000 {
        let task = next(&mut worker.lock().unwrap());
        task.expect("two tasks wake each other").poll();
    }
    let got = match polls.load(Ordering::Relaxed) {
        1_999 => "1,999".to_owned(),
        got => got.to_string(),
    };
    println!("of 10,000 polls, the third task got {got}");
}

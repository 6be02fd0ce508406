//! An executor that polls whatever it finds in its queue, finished or not.
//!
//! A task that is woken during its last poll is in the queue once more. In mini-tokio a timer of zero does that now and
//! then, because its thread wakes after `poll` has seen that the time is up.

use std::{
    future::poll_fn,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, Sender},
    },
    task::{Context, Poll, Wake, Waker},
};

use crate::{Exhibit, Fails, props::BoxFuture};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "polled-after-ready",
    title: "a finished future is polled once more",
    was_in: "tokio's website, tutorial-code/mini-tokio (the text is right since its #740); \"Executor-2\"",
    breaks: "A task that was ready is not polled again, however often it is woken.",
    chapter: 1,
    fails: Fails::Panics("`async fn` resumed after completion"),
    why: "a wake may come at any time, even when the task is finished, and this executor does not note that it is. \
          The fixed version drops the future as soon as it is ready, and then there is nothing left to poll.",
    passes: "taken from the queue: 2, polled: 1",
    broken: || show(poll_broken),
    repaired: || show(poll_repaired),
};

struct Task {
    future: Mutex<Option<BoxFuture>>,
    queue: Sender<Arc<Task>>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let _ = self.queue.send(Arc::clone(&self));
    }
}

fn run(queue: &Receiver<Arc<Task>>, poll: fn(&Task, &mut Context<'_>) -> bool) {
    let (mut taken, mut polled) = (0, 0);
    while let Ok(task) = queue.try_recv() {
        taken += 1;
        let waker = Waker::from(Arc::clone(&task));
        polled += usize::from(poll(&task, &mut Context::from_waker(&waker)));
    }
    println!("taken from the queue: {taken}, polled: {polled}");
}

// ANCHOR: broken
/// Whether there was something to poll.
fn poll_broken(task: &Task, cx: &mut Context<'_>) -> bool {
    let mut slot = task.future.lock().unwrap();
    if let Some(future) = &mut *slot {
        let _ = future.as_mut().poll(cx);
        return true;
    }
    false
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// Whether there was something to poll.
fn poll_repaired(task: &Task, cx: &mut Context<'_>) -> bool {
    let mut slot = task.future.lock().unwrap();
    if let Some(future) = &mut *slot {
        if future.as_mut().poll(cx).is_ready() {
            *slot = None;
        }
        return true;
    }
    false
}
// ANCHOR_END: repaired

async fn woken_as_it_ends() {
    poll_fn(|cx| {
        cx.waker().wake_by_ref();
        Poll::Ready(())
    })
    .await;
}

fn show(poll: fn(&Task, &mut Context<'_>) -> bool) {
    let (queue, tasks) = mpsc::channel();
    let task = Task {
        future: Mutex::new(Some(Box::pin(woken_as_it_ends()))),
        queue: queue.clone(),
    };
    let _ = queue.send(Arc::new(task));
    run(&tasks, poll);
}

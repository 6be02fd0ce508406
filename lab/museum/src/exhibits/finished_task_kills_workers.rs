//! A pool in which a finished task can be in the queue, and each extra wake ends a worker.
//!
//! Two wakes in a row do that, because the second entry is still in the queue when the first has led to the last poll.
//! A wake after `Ready` does it too. Here the extra wakes come one at a time, so that their order is certain.

use std::{
    future::{Future, poll_fn},
    sync::{Arc, Mutex},
    task::{Context, Poll, Wake, Waker},
};

use crate::{
    Exhibit, Fails,
    props::{
        BoxFuture,
        queue::{Queue, with_workers},
    },
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "finished-task-kills-workers",
    title: "a finished task is woken twice, and no worker is left",
    was_in: "\"Executor-2\", version 1, `Task::run`",
    breaks: "A task that was ready is not polled again, however often it is woken.",
    chapter: 8,
    fails: Fails::Panics("NoWorkerLeft"),
    why: "the first extra wake has the finished future polled again. The panic ends the worker and poisons the \
          task's lock, so the second extra wake ends the other worker. Then main spawns B, finds a queue that no \
          worker serves, and panics. The fixed version drops the future as soon as it is ready, so an extra wake \
          finds nothing to poll.",
    passes: "A is done\nB is done",
    broken: || show(Task::run_broken),
    repaired: || show(Task::run_repaired),
};

struct Task {
    future: Mutex<Option<BoxFuture>>,
    queue: Arc<Queue<Arc<Task>>>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.queue.push(Arc::clone(&self)).unwrap();
    }
}

// ANCHOR: broken
impl Task {
    /// Called by the worker that has taken the task from the queue.
    fn run_broken(self: &Arc<Task>) {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        if let Some(future) = &mut *slot {
            let _ = future.as_mut().poll(&mut Context::from_waker(&waker));
        }
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
impl Task {
    /// Called by the worker that has taken the task from the queue.
    fn run_repaired(self: &Arc<Task>) {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        if let Some(future) = &mut *slot {
            let poll = future.as_mut().poll(&mut Context::from_waker(&waker));
            if poll.is_ready() {
                *slot = None;
            }
        }
    }
}
// ANCHOR_END: repaired

fn spawn(queue: &Arc<Queue<Arc<Task>>>, future: impl Future<Output = ()> + Send + 'static) {
    let task = Task {
        future: Mutex::new(Some(Box::pin(future))),
        queue: Arc::clone(queue),
    };
    Arc::new(task).wake();
}

/// Pending at the first poll, which leaves its waker there, and ready at the second.
async fn leaves_its_waker(kept: Arc<Mutex<Option<Waker>>>) {
    poll_fn(|cx| {
        let earlier = kept.lock().unwrap().replace(cx.waker().clone());
        earlier.map_or(Poll::Pending, |_| Poll::Ready(()))
    })
    .await;
}

fn show(run: fn(&Arc<Task>)) {
    let kept = Arc::default();
    let queue = Queue::for_workers(2);
    let first = leaves_its_waker(Arc::clone(&kept));
    spawn(&queue, async {
        first.await;
        println!("A is done");
    });
    let work = || {
        while let Some(task) = queue.pop() {
            run(&task);
        }
    };
    with_workers(&queue, work, || {
        queue.until_idle(0);
        let waker = kept.lock().unwrap().clone().unwrap();
        // The first wake leads to the last poll. The other two come after `Ready`.
        for _ in 0..3 {
            waker.wake_by_ref();
            queue.until_idle(0);
        }
        spawn(&queue, async { println!("B is done") });
        queue.until_idle(0);
    });
}

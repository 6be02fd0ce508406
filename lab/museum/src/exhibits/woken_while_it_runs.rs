//! A task that is woken while one worker polls it is taken by a second worker.
//!
//! `try_lock().unwrap()` says that a task in the queue is never being polled. But a wake during the poll puts the task
//! there, so the second worker panics, and the task is never polled again.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{
            AtomicBool, AtomicUsize,
            Ordering::{Relaxed, SeqCst},
        },
    },
    task::{Context, Wake, Waker},
};

use crate::{
    Exhibit, Fails,
    props::{
        BoxFuture,
        queue::{self, Queue, with_workers},
    },
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "woken-while-it-runs",
    title: "a task is woken in its poll, and a second worker panics",
    was_in: "\"Executor-2\", version 1, `Task::run`",
    breaks: "A wake made inside poll leads to another poll.",
    chapter: 8,
    fails: Fails::Prints("the task is done: false; workers left: 1 of 2"),
    why: "the wake puts the task into the queue while the first worker holds the lock of its future. The second \
          worker takes the task, and its try_lock fails. So both the wake and the worker are lost. In the fixed \
          version, which is the document's version 2, waking a task that is RUNNING only sets a bit. The worker \
          that polled the task queues it after the poll, so no worker ever finds the lock taken.",
    passes: "the task is done: true; workers left: 2 of 2",
    broken: || show(run_broken, wake_broken),
    repaired: || show(run_repaired, wake_repaired),
};

struct Task {
    future: Mutex<BoxFuture>,
    state: AtomicUsize,
    queue: Arc<Queue<Arc<Task>>>,
    on_wake: fn(&Arc<Task>),
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        (self.on_wake)(&self);
    }
}

// ANCHOR: broken
/// Called by the worker that has taken the task from the queue.
fn run_broken(task: &Arc<Task>) {
    let waker = Waker::from(Arc::clone(task));
    let mut cx = Context::from_waker(&waker);
    let _ = task.future.try_lock().unwrap().as_mut().poll(&mut cx);
}

fn wake_broken(task: &Arc<Task>) {
    task.queue.push(Arc::clone(task)).unwrap();
}
// ANCHOR_END: broken

// ANCHOR: repaired
const WOKEN: usize = 0b01;
const RUNNING: usize = 0b10;

/// Called by the worker that has taken the task from the queue.
fn run_repaired(task: &Arc<Task>) {
    task.state.store(RUNNING, SeqCst);
    let waker = Waker::from(Arc::clone(task));
    let mut cx = Context::from_waker(&waker);
    let poll = task.future.try_lock().unwrap().as_mut().poll(&mut cx);
    // A finished task stays RUNNING, so it is never queued again.
    if poll.is_pending() && task.state.fetch_and(!RUNNING, SeqCst) == RUNNING | WOKEN {
        task.queue.push(Arc::clone(task)).unwrap();
    }
}

fn wake_repaired(task: &Arc<Task>) {
    if task.state.fetch_or(WOKEN, SeqCst) == 0 {
        task.queue.push(Arc::clone(task)).unwrap();
    }
}
// ANCHOR_END: repaired

fn show(run: fn(&Arc<Task>), on_wake: fn(&Arc<Task>)) {
    let is_done = Arc::new(AtomicBool::new(false));
    let queue = Queue::for_workers(2);
    let (sets, waits) = (Arc::clone(&is_done), queue::woken_while_it_runs(&queue));
    let future = async move {
        waits.await;
        sets.store(true, Relaxed);
    };
    let task = Task {
        future: Mutex::new(Box::pin(future)),
        state: AtomicUsize::new(0),
        queue: Arc::clone(&queue),
        on_wake,
    };
    Arc::new(task).wake();
    let work = || {
        while let Some(task) = queue.pop() {
            run(&task);
        }
    };
    with_workers(&queue, work, || {
        let left = queue.until_idle(0);
        let is_done = is_done.load(Relaxed);
        println!("the task is done: {is_done}; workers left: {left} of 2");
    });
}

//! Version 4: `run` returns although a waker is kept, and the executor drops each future on its own thread.

use std::{
    future::Future,
    sync::{
        Arc, Mutex, Weak,
        mpsc::{self, Receiver, Sender},
    },
    task::{Context, Wake, Waker},
};

use crate::{Queued, task_future::TaskFuture};

const UNPOISONED: &str = "a task's panic is caught before it reaches this lock";

/// Runs tasks on the thread that calls [`run`](Executor::run), and drops them there.
///
/// An executor that is moved into one of its own tasks can no longer run, and is leaked with all its tasks.
#[derive(Debug)]
pub struct Executor {
    queue: Receiver<Turn>,
}

/// Gives tasks to an [`Executor`], from any thread and from inside a task.
#[derive(Debug, Clone)]
pub struct Spawner {
    sender: Arc<Sender<Turn>>,
}

/// What the executor does next.
// ANCHOR: turn
enum Turn {
    /// Poll this task, because it has been spawned or woken.
    Poll(Arc<Task>),
    /// Drop what is left of a task that can no longer be woken.
    Drop(Unfinished),
}
// ANCHOR_END: turn

/// What a waker points to.
// ANCHOR: task
struct Task {
    /// `None` once the task is finished.
    unfinished: Mutex<Option<Unfinished>>,
    queued: Queued,
    /// Weak, so that a leftover waker cannot hold the channel open and stop `run` from
    /// returning.
    sender: Weak<Sender<Turn>>,
}

struct Unfinished {
    future: TaskFuture,
    /// Holds the channel open, because this task may still be woken.
    sender: Arc<Sender<Turn>>,
}
// ANCHOR_END: task

/// Creates an executor and a spawner for it.
///
/// ```
/// let (executor, spawner) = step04_channel_executor::executor();
/// spawner.spawn(async { println!("howdy!") });
/// drop(spawner);
/// executor.run();
/// ```
pub fn executor() -> (Executor, Spawner) {
    let (sender, queue) = mpsc::channel();
    let sender = Arc::new(sender);
    (Executor { queue }, Spawner { sender })
}

impl Spawner {
    /// Gives the executor a task. If the executor is gone, the future is dropped without being polled.
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let unfinished = Unfinished {
            future: TaskFuture::new(future),
            sender: Arc::clone(&self.sender),
        };
        let task = Arc::new(Task {
            unfinished: Mutex::new(Some(unfinished)),
            queued: Queued::no(),
            sender: Arc::downgrade(&self.sender),
        });
        task.wake();
    }
}

impl Executor {
    /// Runs until every task is finished and every [`Spawner`] is gone, however many wakers are left. Sleeps while no
    /// task has been woken.
    ///
    /// A task that panics ends alone. The queue and the wakers own the tasks, so `run` does not wait for a pending
    /// task without wakers: it drops the future of such a task, on its own thread, wherever the last waker was dropped.
    /// A task whose own future holds its only waker owns itself, and `run` waits for it forever. In stage 07 the
    /// runtime owns the tasks.
    // ANCHOR: run
    pub fn run(self) {
        while let Ok(turn) = self.queue.recv() {
            match turn {
                Turn::Poll(task) => task.poll(),
                Turn::Drop(unfinished) => drop(unfinished),
            }
        }
    }
    // ANCHOR_END: run
}

impl Task {
    // ANCHOR: poll
    fn poll(self: Arc<Self>) {
        self.queued.clear();
        let waker = Waker::from(Arc::clone(&self));
        let mut slot = self.unfinished.lock().expect(UNPOISONED);
        // The slot is empty if the task was woken after it was finished.
        if let Some(unfinished) = &mut *slot {
            let mut cx = Context::from_waker(&waker);
            if unfinished.future.poll(&mut cx).is_ready() {
                *slot = None;
            }
        }
    }
    // ANCHOR_END: poll
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    // ANCHOR: wake
    fn wake_by_ref(self: &Arc<Self>) {
        if self.queued.set() {
            // Without a sender the channel is closed, because all tasks are finished.
            if let Some(sender) = self.sender.upgrade() {
                let _ = sender.send(Turn::Poll(Arc::clone(self)));
            }
        }
    }
    // ANCHOR_END: wake
}

// ANCHOR: drop
impl Drop for Task {
    /// Sends the future to the executor, which drops it. The last waker may have been
    /// dropped anywhere: on another thread, or under a lock that the future's destructor
    /// takes.
    fn drop(&mut self) {
        let slot = self.unfinished.get_mut().expect(UNPOISONED);
        if let Some(unfinished) = slot.take() {
            let sender = Arc::clone(&unfinished.sender);
            // This fails if the executor was dropped and never ran. Then the task was never
            // polled and has no waker, so its future, which comes back inside the error, may
            // be dropped right here.
            let _ = sender.send(Turn::Drop(unfinished));
        }
    }
}
// ANCHOR_END: drop

//! Version 3: a task is polled when it is spawned, and after that only when it has been woken.

use std::{
    future::Future,
    sync::{
        Arc, Mutex, Weak,
        mpsc::{self, Receiver, Sender},
    },
    task::{Context, Wake, Waker},
};

use futures::task::ArcWake;

use crate::{Queued, task_future::TaskFuture};

const UNPOISONED: &str = "a task's panic is caught before it reaches this lock";

/// Runs tasks on the thread that calls [`run`](Executor::run), and drops them there.
///
/// An executor that is moved into one of its own tasks can no longer run, and is leaked with all its tasks.
#[derive(Debug)]
// ANCHOR: executor
pub struct Executor {
    queue: Receiver<Turn>,
    /// Makes a waker out of a task, with `ArcWake` or with `std::task::Wake`.
    waker_for: fn(Arc<Task>) -> Waker,
}
// ANCHOR_END: executor

/// Gives tasks to an [`Executor`], from any thread and from inside a task.
#[derive(Debug, Clone)]
// ANCHOR: spawner
pub struct Spawner {
    sender: Arc<Sender<Turn>>,
}
// ANCHOR_END: spawner

/// What the executor does next.
#[derive(Debug)]
// ANCHOR: turn
enum Turn {
    /// Poll this task, because it has been spawned or woken.
    Poll(Arc<Task>),
    /// Drop what is left of a task that can no longer be woken.
    Drop(Unfinished),
}
// ANCHOR_END: turn

/// What a waker points to.
#[derive(Debug)]
// ANCHOR: task
struct Task {
    /// `None` once the task is finished. Only the executor locks it. The lock is there
    /// because threads share a waker, so what it points to must be `Sync`.
    unfinished: Mutex<Option<Unfinished>>,
    queued: Queued,
    /// Weak, so that a leftover waker cannot hold the channel open and stop `run` from
    /// returning.
    sender: Weak<Sender<Turn>>,
}

#[derive(Debug)]
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
    executor_with(futures::task::waker)
}

/// The same executor, with wakers made by the standard library's [`Wake`] rather than by futures' [`ArcWake`].
pub fn executor_on_std_wake() -> (Executor, Spawner) {
    executor_with(Waker::from)
}

fn executor_with(waker_for: fn(Arc<Task>) -> Waker) -> (Executor, Spawner) {
    let (sender, queue) = mpsc::channel();
    let sender = Arc::new(sender);
    (Executor { queue, waker_for }, Spawner { sender })
}

impl Spawner {
    /// Gives the executor a task. If the executor is gone, the future is dropped without being polled.
    // ANCHOR: spawn
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
        task.schedule();
    }
    // ANCHOR_END: spawn
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
                Turn::Poll(task) => {
                    task.queued.clear();
                    let waker = self.waker(&task);
                    task.poll(&mut Context::from_waker(&waker));
                }
                Turn::Drop(unfinished) => drop(unfinished),
            }
        }
    }
    // ANCHOR_END: run

    fn waker(&self, task: &Arc<Task>) -> Waker {
        (self.waker_for)(Arc::clone(task))
    }
}

impl Task {
    // ANCHOR: schedule
    fn schedule(self: &Arc<Self>) {
        if self.queued.set() {
            // No sender: this task is finished, and so are all others. An error: the
            // executor is gone.
            if let Some(sender) = self.sender.upgrade() {
                let _ = sender.send(Turn::Poll(Arc::clone(self)));
            }
        }
    }
    // ANCHOR_END: schedule

    // ANCHOR: poll
    fn poll(&self, cx: &mut Context<'_>) {
        let mut slot = self.unfinished.lock().expect(UNPOISONED);
        // Empty if the task was woken after it was finished.
        if let Some(unfinished) = &mut *slot {
            if unfinished.future.poll(cx).is_ready() {
                *slot = None;
            }
        }
    }
    // ANCHOR_END: poll
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
            // An error: the executor was dropped and never ran, so this task was never
            // polled and has no waker anywhere. The future comes back inside the error and
            // is dropped right here.
            let _ = sender.send(Turn::Drop(unfinished));
        }
    }
}
// ANCHOR_END: drop

impl ArcWake for Task {
    fn wake_by_ref(task: &Arc<Self>) {
        task.schedule();
    }
}

// ANCHOR: wake
impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.schedule();
    }

    // Without this method, the default would clone the `Arc` to call `wake`.
    fn wake_by_ref(self: &Arc<Self>) {
        self.schedule();
    }
}
// ANCHOR_END: wake

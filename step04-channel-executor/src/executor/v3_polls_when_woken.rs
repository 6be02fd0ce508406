//! Version 3: a task is polled when it is spawned, and then only when it has been woken.

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
/// An executor that is moved into a task of its own cannot run any more, and is leaked with all its tasks.
#[derive(Debug)]
pub struct Executor {
    queue: Receiver<Turn>,
    waker_for: fn(Arc<Task>) -> Waker,
}

/// Gives tasks to an [`Executor`], from any thread, and from inside a task too.
#[derive(Debug, Clone)]
pub struct Spawner {
    queue: Arc<Sender<Turn>>,
}

/// What the executor does next.
#[derive(Debug)]
// ANCHOR: turn
enum Turn {
    /// Polls a task: it was spawned or woken.
    Poll(Arc<Task>),
    /// Drops what is left of a task that nobody can wake any more.
    Drop(Running),
}
// ANCHOR_END: turn

/// What a waker points to: a future, and the way into the queue.
#[derive(Debug)]
// ANCHOR: task
struct Task {
    /// `None`: finished. Locked by the executor alone; the lock is there to make `Task`
    /// `Sync`.
    running: Mutex<Option<Running>>,
    queued: Queued,
    /// Weak, so that a waker which outlives its task does not keep the channel open, and
    /// `run` from returning.
    queue: Weak<Sender<Turn>>,
}
// ANCHOR_END: task

#[derive(Debug)]
// ANCHOR: running
struct Running {
    future: TaskFuture,
    /// An unfinished task keeps the channel open: it may still be woken.
    queue: Arc<Sender<Turn>>,
}
// ANCHOR_END: running

/// An executor, and a spawner for it.
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

/// The same executor, with wakers made by the standard library's [`Wake`] in place of futures' [`ArcWake`].
pub fn executor_on_std_wake() -> (Executor, Spawner) {
    executor_with(Waker::from)
}

fn executor_with(waker_for: fn(Arc<Task>) -> Waker) -> (Executor, Spawner) {
    let (sender, receiver) = mpsc::channel();
    let executor = Executor {
        queue: receiver,
        waker_for,
    };
    let queue = Arc::new(sender);
    (executor, Spawner { queue })
}

impl Spawner {
    /// Gives the executor a task. If the executor is gone, the future is dropped, and not polled.
    // ANCHOR: spawn
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let running = Running {
            future: TaskFuture::new(future),
            queue: Arc::clone(&self.queue),
        };
        let task = Arc::new(Task {
            running: Mutex::new(Some(running)),
            queued: Queued::no(),
            queue: Arc::downgrade(&self.queue),
        });
        task.schedule();
    }
    // ANCHOR_END: spawn
}

impl Executor {
    /// Runs until every task is done and every [`Spawner`] is gone, however many wakers live on. Sleeps while no
    /// task is woken.
    ///
    /// A task that panics ends alone. The queue and the wakers own the tasks. So a task that is pending and that
    /// nobody can wake any more is not waited for: `run` drops its future, wherever its last waker was dropped. A
    /// task whose own future holds its only waker owns itself, and `run` waits for it forever. In stage 07 the runtime
    /// owns the tasks.
    // ANCHOR: run
    pub fn run(self) {
        while let Ok(turn) = self.queue.recv() {
            match turn {
                Turn::Poll(task) => {
                    task.queued.clear();
                    let waker = (self.waker_for)(Arc::clone(&task));
                    task.poll(&mut Context::from_waker(&waker));
                }
                Turn::Drop(running) => drop(running),
            }
        }
    }
    // ANCHOR_END: run
}

impl Task {
    // ANCHOR: schedule
    fn schedule(self: &Arc<Self>) {
        if self.queued.set() {
            // No queue: the task is finished, and so are all others. No receiver: the
            // executor is gone.
            if let Some(queue) = self.queue.upgrade() {
                let _ = queue.send(Turn::Poll(Arc::clone(self)));
            }
        }
    }
    // ANCHOR_END: schedule

    // ANCHOR: poll
    fn poll(&self, cx: &mut Context<'_>) {
        let mut slot = self.running.lock().expect(UNPOISONED);
        // There is none if the task was woken after it was finished.
        if let Some(running) = &mut *slot {
            if running.future.poll(cx).is_ready() {
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
        let slot = self.running.get_mut().expect(UNPOISONED);
        if let Some(running) = slot.take() {
            let queue = Arc::clone(&running.queue);
            // No receiver: the executor was dropped and did not run, so this task was never
            // polled and nobody had a waker of it. The future comes back with the error, and
            // is dropped right here.
            let _ = queue.send(Turn::Drop(running));
        }
    }
}
// ANCHOR_END: drop

// ANCHOR: wake
impl ArcWake for Task {
    fn wake_by_ref(task: &Arc<Self>) {
        task.schedule();
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.schedule();
    }

    // Without this, the default would clone the `Arc` to call `wake`.
    fn wake_by_ref(self: &Arc<Self>) {
        self.schedule();
    }
}
// ANCHOR_END: wake

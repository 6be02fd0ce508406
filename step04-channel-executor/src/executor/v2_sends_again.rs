//! Version 2: whatever is pending goes back into the channel at once, and is polled again.
//!
//! It is never late, and never asleep: a task that waits for a second is polled millions of times. The waker
//! does nothing at all.

use std::{
    future::Future,
    sync::mpsc::{self, Receiver, Sender},
    task::{Context, Waker},
};

use crate::task_future::TaskFuture;

/// Runs tasks on the thread that calls [`run`](Executor::run).
///
/// An executor that is moved into a task of its own cannot run any more, and is leaked with all its tasks.
#[derive(Debug)]
pub struct Executor {
    queue: Receiver<Task>,
}

/// Gives tasks to an [`Executor`], from any thread.
#[derive(Debug, Clone)]
pub struct Spawner {
    queue: Sender<Task>,
}

#[derive(Debug)]
struct Task {
    future: TaskFuture,
    /// The way back into the channel. As long as there is an unfinished task, the channel is open.
    queue: Sender<Task>,
}

/// An executor, and a spawner for it.
///
/// The channel has no bound. With one, the executor could block in its own `send`, and nobody would be left to
/// receive.
pub fn executor() -> (Executor, Spawner) {
    let (sender, receiver) = mpsc::channel();
    (Executor { queue: receiver }, Spawner { queue: sender })
}

impl Spawner {
    /// Gives the executor a task. If the executor is gone, the future is dropped, and not polled.
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let future = TaskFuture::new(future);
        let queue = self.queue.clone();
        let _ = self.queue.send(Task { future, queue });
    }
}

impl Executor {
    /// Runs until every task is done and every [`Spawner`] is gone.
    // ANCHOR: run
    pub fn run(self) {
        let mut cx = Context::from_waker(Waker::noop());
        while let Ok(mut task) = self.queue.recv() {
            if task.future.poll(&mut cx).is_pending() {
                let queue = task.queue.clone();
                queue.send(task).expect("the receiver is here");
            }
        }
    }
    // ANCHOR_END: run
}

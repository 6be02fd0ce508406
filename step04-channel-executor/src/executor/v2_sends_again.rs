//! Version 2: the executor sends every pending task into the channel again at once, and so polls it again.
//!
//! It adds no delay, but it never sleeps either: a task that waits for a second is polled millions of times. The waker
//! does nothing at all.

use std::{
    future::Future,
    sync::mpsc::{self, Receiver, Sender},
    task::{Context, Waker},
};

use crate::task_future::TaskFuture;

/// Runs tasks on the thread that calls [`run`](Executor::run).
#[derive(Debug)]
// ANCHOR: structs
pub struct Executor {
    queue: Receiver<Task>,
}

struct Task {
    future: TaskFuture,
    /// The way back into the queue. While any task is unfinished, the channel is open.
    sender: Sender<Task>,
}

/// Gives tasks to an [`Executor`], from any thread.
#[derive(Debug, Clone)]
pub struct Spawner {
    sender: Sender<Task>,
}
// ANCHOR_END: structs

/// Creates an executor and a spawner for it.
///
/// The channel has no bound. With a bound, the executor could block in its own `send`, and then no thread would be left
/// to receive.
pub fn executor() -> (Executor, Spawner) {
    let (sender, queue) = mpsc::channel();
    (Executor { queue }, Spawner { sender })
}

impl Spawner {
    /// Gives the executor a task. If the executor is gone, the future is dropped without being polled.
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let future = TaskFuture::new(future);
        let sender = self.sender.clone();
        let _ = self.sender.send(Task { future, sender });
    }
}

impl Executor {
    /// Runs until every task is finished and every [`Spawner`] is gone.
    // ANCHOR: run
    pub fn run(self) {
        let mut cx = Context::from_waker(Waker::noop());
        while let Ok(mut task) = self.queue.recv() {
            if task.future.poll(&mut cx).is_pending() {
                let sender = task.sender.clone();
                sender.send(task).expect("the receiver is here");
            }
        }
    }
    // ANCHOR_END: run
}

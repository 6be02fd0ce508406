//! A queue of tasks and a waker that does nothing: the runtime polls every task, over and over, until the queue is empty.

use std::{
    collections::VecDeque,
    future::Future,
    task::{Context, Waker},
};

use crate::TaskFuture;

/// A runtime on one thread that never sleeps while it has a task.
///
/// ```
/// use step07_mini_tokio::async_in_depth::mini_tokio::MiniTokio;
///
/// let mut mini_tokio = MiniTokio::new();
/// mini_tokio.spawn(async { println!("Hello world") });
/// mini_tokio.run();
/// ```
// ANCHOR: struct
#[derive(Debug, Default)]
pub struct MiniTokio {
    /// Every task that is not finished, the next one to poll in front. Each is a future in a box.
    tasks: VecDeque<TaskFuture>,
}
// ANCHOR_END: struct

impl MiniTokio {
    /// Creates a runtime without tasks.
    pub fn new() -> MiniTokio {
        MiniTokio::default()
    }

    /// Adds a task. It is first polled by [`run`](MiniTokio::run).
    pub fn spawn(&mut self, future: impl Future<Output = ()> + Send + 'static) {
        self.tasks.push_back(TaskFuture::new(future));
    }

    /// Polls all tasks in turn until every task is finished. A task that panics is finished; the others run on.
    // ANCHOR: run
    pub fn run(&mut self) {
        // No wake has to be noticed, because every pending task is polled again anyway.
        let mut cx = Context::from_waker(Waker::noop());
        while let Some(mut task) = self.tasks.pop_front() {
            if task.poll(&mut cx).is_pending() {
                self.tasks.push_back(task);
            }
        }
    }
    // ANCHOR_END: run
}

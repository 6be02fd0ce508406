//! Threads for code that blocks, so that it does not take a worker away from the tasks.

use std::sync::Arc;

use crate::{Handle, context, queue::Queue, task::Task, workers::Workers};

/// Blocking code mostly sleeps, so many such threads do little harm, but each costs memory.
const MOST_THREADS: usize = 64;

/// The queue of stage 08 and threads that sleep there. A function is a task that is finished by its first poll.
#[derive(Default)]
pub(crate) struct BlockingPool {
    queue: Arc<Queue<Function>>,
    threads: Workers,
}

/// A function in the queue. If the queue drops it, because it is closed, the function is never called.
struct Function(Option<Task>);

impl Function {
    fn run(mut self) {
        if let Some(task) = self.0.take() {
            task.run();
        }
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.shut_down();
        }
    }
}

impl BlockingPool {
    /// Hands a function to a thread, and starts one if there are more functions than idle threads.
    ///
    /// # Panics
    ///
    /// If there is no thread, and the system cannot start one.
    pub(crate) fn push(&self, function: Task, handle: &Handle) {
        self.queue.push(Function(Some(function)));
        let needed = |threads| threads < MOST_THREADS && self.queue.backlog() > 0;
        let (queue, handle) = (Arc::clone(&self.queue), handle.clone());
        let started = self.threads.start(needed, "blocking", move || {
            let _entered = context::enter(handle, None);
            while let Some(function) = queue.pop() {
                function.run();
            }
        });
        if self.threads.is_empty() {
            started.expect("the system can start a thread for blocking code");
        }
    }

    /// Shuts down what is in the queue, and what is put there from now on, and lets the threads end.
    pub(crate) fn close(&self) {
        self.queue.close();
    }

    /// Waits until the threads have ended, except for the one that calls.
    pub(crate) fn join(&self) {
        self.threads.join();
    }
}

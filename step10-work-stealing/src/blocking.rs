//! Threads for code that blocks, so that it does not take a worker away from the tasks.

use std::sync::Arc;

use crate::{Handle, context, queue::Queue, task::Task, workers::Workers};

/// Blocking code mostly sleeps, so many such threads do little harm, but each costs memory.
const MOST_THREADS: usize = 64;

/// The queue of stage 08 and threads that sleep there. A function is a task that is finished by its first poll.
#[derive(Default)]
pub(crate) struct BlockingPool {
    queue: Arc<Queue<Task>>,
    threads: Workers,
}

impl BlockingPool {
    /// Hands a function to a thread, and starts one if there are more functions than idle threads.
    ///
    /// # Panics
    ///
    /// If there is no thread, and the system cannot start one.
    pub(crate) fn push(&self, function: Task, handle: &Handle) {
        self.queue.push(function);
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

    /// Drops what is in the queue, and lets the threads end.
    pub(crate) fn close(&self) {
        self.queue.close();
    }

    /// Waits until the threads have ended, except for the one that calls.
    pub(crate) fn join(&self) {
        self.threads.join();
    }
}

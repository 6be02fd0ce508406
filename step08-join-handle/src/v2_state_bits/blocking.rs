//! Threads for code that blocks, so that it does not take a worker away from the tasks.

use std::sync::Arc;

use crate::{Handle, Queue, Runnable, workers::Workers};

use super::context;

/// Blocking code mostly sleeps, so many such threads do little harm, but each costs memory.
const MOST_THREADS: usize = 64;

/// A second queue with threads of its own. A function is a task here: one that is finished by its first poll.
// ANCHOR: struct
#[derive(Debug, Default)]
pub(super) struct BlockingPool {
    queue: Arc<Queue<Runnable>>,
    threads: Workers,
}
// ANCHOR_END: struct

impl BlockingPool {
    pub(super) fn queue(&self) -> &Arc<Queue<Runnable>> {
        &self.queue
    }

    /// Starts one more thread, if there is more in the queue than threads that are idle.
    ///
    /// # Panics
    ///
    /// If there is no thread, and the system cannot start one.
    // ANCHOR: start
    pub(super) fn start_thread_if_needed(&self, handle: &Handle) {
        let needed = |threads| threads < MOST_THREADS && self.queue.backlog() > 0;
        let (queue, handle) = (Arc::clone(&self.queue), handle.clone());
        let started = self.threads.start(needed, "blocking", move || {
            let _entered = context::enter(handle);
            while let Some(function) = queue.pop() {
                function.run();
            }
        });
        if self.threads.is_empty() {
            started.expect("the system can start a thread for blocking code");
        }
    }
    // ANCHOR_END: start

    /// Drops what is in the queue, and lets the threads end.
    pub(super) fn close(&self) {
        self.queue.close();
    }

    /// Waits until the threads have ended, except for the one that calls.
    pub(super) fn join(&self) {
        self.threads.join();
    }
}

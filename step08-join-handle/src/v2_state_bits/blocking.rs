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

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread, time::Duration};

    use super::*;

    /// A shutdown may come between the call that pushes a function and the start of its thread.
    #[test]
    fn a_thread_that_is_no_longer_needed_is_not_started() {
        probe::within(Duration::from_secs(10), || {
            let pool = BlockingPool::default();
            let (function, _handle) = crate::spawn_on(&pool.queue, async {});
            pool.queue.push(function);
            let ((begins, begun), (let_go, goes)) = (mpsc::channel(), mpsc::channel());
            thread::scope(|scope| {
                // Keeps the lock of the threads until it is released, and starts none.
                let keeps_the_lock = move |_| {
                    begins.send(()).unwrap();
                    goes.recv().unwrap()
                };
                scope.spawn(|| pool.threads.start(keeps_the_lock, "none", || ()));
                begun.recv().unwrap();
                scope.spawn(|| pool.start_thread_if_needed(&Handle::new()));
                // A call that asks before it has the lock has asked by then.
                thread::sleep(Duration::from_millis(30));
                pool.close();
                let_go.send(false).unwrap();
            });
            assert!(pool.threads.is_empty());
        });
    }
}

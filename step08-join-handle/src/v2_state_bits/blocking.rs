//! Threads for code that blocks, so that it does not take a worker away from the tasks.

use std::sync::Arc;

use crate::{
    Queue,
    workers::{Workers, start},
};

use super::{
    join_handle::{JoinHandle, spawn_on},
    runnable::Runnable,
};

/// Blocking code mostly sleeps, so many such threads do little harm, but each costs memory.
const MOST_THREADS: usize = 64;

/// A second queue with threads of its own. A function is a task here: one that is finished by its first poll.
#[derive(Debug, Default)]
pub(super) struct BlockingPool {
    pub(super) queue: Arc<Queue<Runnable>>,
    pub(super) threads: Workers,
}

impl BlockingPool {
    /// Puts `f` into the queue. If more functions are there than threads are idle, it starts a thread, which calls `enter` first, and
    /// drops what that has returned when it ends.
    // ANCHOR: spawn
    pub(super) fn spawn<T: Send + 'static, E>(
        &self,
        enter: impl FnOnce() -> E + Send + 'static,
        f: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        let (function, joined) = spawn_on(&self.queue, async { f() });
        self.queue.push(function);
        let queue = Arc::clone(&self.queue);
        let work = move || {
            let _entered = enter();
            while let Some(function) = queue.pop() {
                function.run();
            }
        };
        let mut threads = self.threads.lock();
        // A shutdown empties the queue before it takes this lock to join the threads. So either it
        // finds the new thread, or no thread is needed any more.
        let needed = threads.len() < MOST_THREADS && self.queue.backlog() > 0;
        let started = needed.then(|| start(&mut threads, "blocking", work));
        let is_stuck = threads.is_empty();
        drop(threads); // before this panics
        if is_stuck {
            started
                .transpose()
                .expect("the system can start a thread for blocking code");
        }
        joined
    }
    // ANCHOR_END: spawn
}

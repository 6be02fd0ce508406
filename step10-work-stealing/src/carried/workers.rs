//! Threads that end together.

use std::{
    fmt, io, mem,
    sync::{Mutex, MutexGuard},
    thread::{self, JoinHandle},
};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Threads that are started one by one and joined together.
#[derive(Default)]
pub(crate) struct Workers(Mutex<Vec<JoinHandle<()>>>);

impl Workers {
    /// Starts `count` threads that call `work`.
    ///
    /// # Panics
    ///
    /// If `count` is 0, or the system cannot start so many threads.
    pub(crate) fn start_all(&self, count: usize, work: impl FnOnce() + Clone + Send + 'static) {
        assert!(count > 0, "a runtime needs at least one worker, not 0");
        for _ in 0..count {
            let started = self.start(|_| true, "worker", work.clone());
            started.expect("the system can start a thread for each worker");
        }
    }

    /// Starts a thread that calls `work`, if `needed` says so. It is given the number of threads that there are.
    ///
    /// # Errors
    ///
    /// If the system cannot start one more thread.
    pub(crate) fn start(
        &self,
        needed: impl FnOnce(usize) -> bool,
        name: &str,
        work: impl FnOnce() + Send + 'static,
    ) -> io::Result<()> {
        // Asks under the lock, so that no thread is started that a `join` does not see, if it is no longer needed by then.
        let mut threads = self.lock();
        if needed(threads.len()) {
            threads.push(thread::Builder::new().name(name.to_owned()).spawn(work)?);
        }
        Ok(())
    }

    /// Whether there is no thread.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Whether the calling thread is one of these.
    pub(crate) fn include_caller(&self) -> bool {
        self.lock().iter().any(is_caller)
    }

    /// Waits until all of these threads have ended. A thread cannot wait for itself, so it does not wait for the thread
    /// that calls.
    // ANCHOR: join
    pub(crate) fn join(&self) {
        let threads = mem::take(&mut *self.lock());
        for thread in threads.into_iter().filter(|thread| !is_caller(thread)) {
            // An error is a panic, and a worker catches those of its tasks.
            let _ = thread.join();
        }
    }
    // ANCHOR_END: join

    fn lock(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.0.lock().expect(UNPOISONED)
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.lock().len();
        write!(f, "{count} threads")
    }
}

fn is_caller(thread: &JoinHandle<()>) -> bool {
    thread.thread().id() == thread::current().id()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So a `join` either sees the thread, or comes before the question, and then the thread is no longer needed.
    #[test]
    fn whether_a_thread_is_needed_is_asked_under_the_lock() {
        let workers = Workers::default();
        let needed = |_| workers.0.try_lock().is_err();
        workers.start(needed, "started", || ()).unwrap();
        assert!(!workers.is_empty(), "another thread could call `join` now");
        workers.join();
        assert!(workers.is_empty());
    }
}

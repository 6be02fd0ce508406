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
            let started = start(&mut self.lock(), "worker", work.clone());
            started.expect("the system can start a thread for each worker");
        }
    }

    /// Whether the calling thread is one of these.
    pub(crate) fn include_caller(&self) -> bool {
        self.lock().iter().any(is_caller)
    }

    /// Waits until all of these threads have ended. A thread cannot wait for itself, so it does not wait for the thread
    /// that calls.
    pub(crate) fn join(&self) {
        let threads = mem::take(&mut *self.lock());
        for thread in threads.into_iter().filter(|thread| !is_caller(thread)) {
            // An error is a panic, and a worker catches those of its tasks.
            let _ = thread.join();
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.0.lock().expect(UNPOISONED)
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.lock().len();
        write!(f, "{count} threads")
    }
}

/// Starts a thread, and adds it to `threads`.
///
/// # Errors
///
/// If the system cannot start one more thread.
pub(crate) fn start(
    threads: &mut Vec<JoinHandle<()>>,
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let thread = thread::Builder::new().name(name.to_owned());
    threads.push(thread.spawn(work)?);
    Ok(())
}

fn is_caller(thread: &JoinHandle<()>) -> bool {
    thread.thread().id() == thread::current().id()
}

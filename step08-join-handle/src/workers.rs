//! Threads that end together.

use std::{
    io, mem,
    sync::{Mutex, MutexGuard},
    thread::{self, JoinHandle},
};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Threads that are started one by one and joined together.
#[derive(Debug, Default)]
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
            let started = self.start(count, "worker", work.clone());
            started.expect("the system can start a thread for each worker");
        }
    }

    /// Starts a thread that calls `work`, unless there are `most` threads already.
    ///
    /// # Errors
    ///
    /// If the system cannot start one more thread.
    pub(crate) fn start(
        &self,
        most: usize,
        name: &str,
        work: impl FnOnce() + Send + 'static,
    ) -> io::Result<()> {
        let mut threads = self.lock();
        if threads.len() < most {
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

fn is_caller(thread: &JoinHandle<()>) -> bool {
    thread.thread().id() == thread::current().id()
}

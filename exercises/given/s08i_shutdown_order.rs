//! The threads of s08i, which know when they are joined.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread::{self, JoinHandle},
};

/// How many threads of a runtime have been started, are being joined or were, and have been joined.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) started: AtomicUsize,
    pub(crate) waited_for: AtomicUsize,
    pub(crate) joined: AtomicUsize,
}

/// A thread that runs tasks.
pub(crate) struct Worker {
    thread: JoinHandle<()>,
    counts: Arc<Counts>,
}

impl Worker {
    /// Starts a thread.
    pub(crate) fn start(counts: &Arc<Counts>, work: impl FnOnce() + Send + 'static) -> Worker {
        counts.started.fetch_add(1, SeqCst);
        Worker {
            thread: thread::spawn(work),
            counts: Arc::clone(counts),
        }
    }

    /// Blocks the calling thread until this one has ended.
    pub(crate) fn join(self) {
        self.counts.waited_for.fetch_add(1, SeqCst);
        self.thread.join().expect("a worker does not panic");
        self.counts.joined.fetch_add(1, SeqCst);
    }
}

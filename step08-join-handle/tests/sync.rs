//! What `src/queue.rs` takes from `src/sync.rs`, so that a test can compile that file with a condition variable that counts.

use std::sync::{
    LockResult,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

pub(crate) use std::sync::{Mutex, MutexGuard};

/// Counts, over all of these, the sleeping threads that a call has woken.
pub static WOKEN: AtomicUsize = AtomicUsize::new(0);

/// The standard library's, with a count of the threads that sleep in it.
pub(crate) struct Condvar {
    inner: std::sync::Condvar,
    asleep: AtomicUsize,
}

impl Condvar {
    pub(crate) fn new() -> Condvar {
        Condvar {
            inner: std::sync::Condvar::new(),
            asleep: AtomicUsize::new(0),
        }
    }

    pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        self.asleep.fetch_add(1, SeqCst);
        let guard = self.inner.wait(guard);
        self.asleep.fetch_sub(1, SeqCst);
        guard
    }

    pub(crate) fn notify_one(&self) {
        WOKEN.fetch_add(self.asleep.load(SeqCst).min(1), SeqCst);
        self.inner.notify_one();
    }

    pub(crate) fn notify_all(&self) {
        WOKEN.fetch_add(self.asleep.load(SeqCst), SeqCst);
        self.inner.notify_all();
    }
}

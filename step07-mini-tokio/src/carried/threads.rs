//! The threads of all reactors, which are counted.

use std::{
    io,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

static STARTED: AtomicUsize = AtomicUsize::new(0);

/// Starts a thread, and counts it.
///
/// # Errors
///
/// If the operating system has no thread left.
pub(crate) fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.into()).spawn(|| {
        // The new thread counts itself, because a task that it wakes may read the count before `spawn` has returned.
        STARTED.fetch_add(1, Ordering::Relaxed);
        run();
    })?;
    Ok(())
}

/// How many threads have been started so far.
pub(crate) fn started() -> usize {
    STARTED.load(Ordering::Relaxed)
}

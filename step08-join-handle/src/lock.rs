//! A lock that is never poisoned.

use crate::sync::{Mutex, MutexGuard};

/// Locks, for code that does not panic while it holds the lock.
// For a recorded run, which shows the line that calls this rather than the one below.
#[track_caller]
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .expect("no code panics while it holds this lock")
}

//! A lock that is never poisoned.

use crate::sync::{Mutex, MutexGuard};

/// Locks, for code that does not panic while it holds the lock.
// A recorded run shows the line that calls this rather than the one below.
#[cfg_attr(recorded, track_caller)]
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .expect("no code panics while it holds this lock")
}

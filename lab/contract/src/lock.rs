//! A lock that a panic does not close.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is tested may panic anywhere, and panics on purpose. What it leaves behind is looked at all the same.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

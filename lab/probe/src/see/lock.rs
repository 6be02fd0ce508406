//! This crate's own locks.

use std::sync::{Mutex, MutexGuard};

/// No code of a user runs under this crate's own locks.
pub(crate) fn own<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().expect("no thread panics under it")
}

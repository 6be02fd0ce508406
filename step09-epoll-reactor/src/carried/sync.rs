//! The lock, the condition variable and the atomic word: the standard library's, loom's while a model is checked, or probe's while a run
//! is recorded.

#[cfg(not(any(loom, recorded)))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, atomic};

#[cfg(recorded)]
pub(crate) use probe::sync::{Condvar, Mutex, MutexGuard, atomic};

#[cfg(loom)]
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard, atomic};

//! The lock and the condition variable: the standard library's, loom's while a model is checked, or probe's while a run is recorded.

#[cfg(not(any(loom, recorded)))]
pub(crate) use std::sync::{Condvar, Mutex};

#[cfg(recorded)]
pub(crate) use probe::sync::{Condvar, Mutex};

#[cfg(loom)]
pub(crate) use loom::sync::{Condvar, Mutex};

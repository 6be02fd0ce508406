//! The lock: the standard library's, loom's while a model is checked, or probe's while a run is recorded.

#[cfg(not(any(loom, recorded)))]
pub(crate) use std::sync::Mutex;

#[cfg(recorded)]
pub(crate) use probe::sync::Mutex;

#[cfg(loom)]
pub(crate) use loom::sync::Mutex;

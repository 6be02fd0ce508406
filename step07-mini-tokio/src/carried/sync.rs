//! The lock and the flag: the standard library's, loom's while a model is checked, or probe's while a run is recorded.

#[cfg(not(any(loom, recorded)))]
pub(crate) use std::sync::{Mutex, atomic};

#[cfg(recorded)]
pub(crate) use probe::sync::{Mutex, atomic};

#[cfg(loom)]
pub(crate) use loom::sync::{Mutex, atomic};

//! The lock and the condition variable: the standard library's, or loom's while a model is checked.

#[cfg(not(loom))]
pub(crate) use std::sync::{Condvar, Mutex};

#[cfg(loom)]
pub(crate) use loom::sync::{Condvar, Mutex};

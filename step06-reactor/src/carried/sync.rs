//! The lock: the standard library's, or loom's while a model of the code that uses it is checked.

#[cfg(not(loom))]
pub(crate) use std::sync::Mutex;

#[cfg(loom)]
pub(crate) use loom::sync::Mutex;

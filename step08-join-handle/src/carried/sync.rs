//! The lock and the flag: the standard library's, or loom's while loom checks a model of the code that uses them.

#[cfg(not(loom))]
pub(crate) use std::sync::{Mutex, atomic};

#[cfg(loom)]
pub(crate) use loom::sync::{Mutex, atomic};

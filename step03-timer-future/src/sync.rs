//! The lock: the standard library's, loom's while a model is checked, or probe's while a run is recorded.
//!
//! The stage itself needs only the first. A model (`tests/loom.rs`) is compiled with `cfg(loom)`, and loom tries every order in which
//! two threads can take the lock. The tool that draws the book's pictures of runs compiles with `cfg(recorded)`, and probe writes down at
//! which line a thread takes the lock. Each later stage has such a file for what its threads share.

#[cfg(not(any(loom, recorded)))]
pub(crate) use std::sync::Mutex;

#[cfg(recorded)]
pub(crate) use probe::sync::Mutex;

#[cfg(loom)]
pub(crate) use loom::sync::Mutex;

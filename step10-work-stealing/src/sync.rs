//! The lock, the condition variable, the atomic words, the cell and the clock: the standard library's, or loom's while a
//! model is checked.

#[cfg(not(loom))]
pub(crate) use std::{
    sync::{Condvar, Mutex, MutexGuard, atomic},
    time::Instant,
};

#[cfg(loom)]
pub(crate) use loom::{
    cell::UnsafeCell,
    sync::{Condvar, Mutex, MutexGuard, atomic},
};

/// The cell of the standard library, with loom's manner of access: a pointer that is used only within a closure, so that
/// loom sees when two threads have it at once.
#[cfg(not(loom))]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    pub(crate) fn new(value: T) -> UnsafeCell<T> {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    pub(crate) fn with_mut<R>(&self, access: impl FnOnce(*mut T) -> R) -> R {
        access(self.0.get())
    }
}

/// In a model no time passes. With the real clock, a model on a busy machine would not do the same each time.
#[cfg(loom)]
#[derive(Clone, Copy)]
pub(crate) struct Instant;

#[cfg(loom)]
impl Instant {
    pub(crate) fn now() -> Instant {
        Instant
    }

    pub(crate) fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }
}

//! The locks, the condition variable, the atomic words, the cell, the variables of a thread and the clock: the standard
//! library's, loom's while a model is checked, or probe's while a run is recorded.

#[cfg(not(loom))]
pub(crate) use std::{thread_local, time::Instant};

#[cfg(not(any(loom, recorded)))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, atomic};

#[cfg(recorded)]
pub(crate) use probe::sync::{Condvar, Mutex, MutexGuard, atomic};

#[cfg(loom)]
pub(crate) use loom::{
    cell::UnsafeCell,
    sync::{Condvar, Mutex, MutexGuard, atomic},
};

pub(crate) const UNPOISONED: &str = "no code panics while it holds this lock";

/// Locks what no code holds while it panics.
// `cfg(recorded)` is for the recorder alone, which draws the book's pictures of runs. It writes down the line at which a lock or a word
// is used, and in a helper such as this one, the line of the helper's caller.
#[cfg_attr(recorded, track_caller)]
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect(UNPOISONED)
}

/// Loom's macro knows no `const`.
#[cfg(loom)]
macro_rules! loom_thread_local {
    ($(#[$attribute:meta])* static $name:ident: $type:ty = const { $initial:expr };) => {
        loom::thread_local! { $(#[$attribute])* static $name: $type = $initial; }
    };
}
#[cfg(loom)]
pub(crate) use loom_thread_local as thread_local;

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

    pub(crate) fn duration_since(&self, _earlier: Instant) -> std::time::Duration {
        std::time::Duration::ZERO
    }
}

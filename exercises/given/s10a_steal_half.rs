//! The locks of s10a.

// The mutex of std. The tests act where it is released.
use probe::{Mutex, MutexGuard};
use std::{
    cell::Cell,
    ops::{Deref, DerefMut},
};

/// A mutex that knows how many of its kind the thread holds.
pub(crate) struct Lock<T>(Mutex<T>);

pub(crate) struct Guard<'a, T>(MutexGuard<'a, T>);

thread_local! {
    static HELD: Cell<usize> = const { Cell::new(0) };
    /// The most that the thread has held at once.
    pub(crate) static MOST_HELD: Cell<usize> = const { Cell::new(0) };
}

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Lock(Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> Guard<'_, T> {
        HELD.set(HELD.get() + 1);
        MOST_HELD.set(MOST_HELD.get().max(HELD.get()));
        Guard(self.0.lock().unwrap())
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        HELD.set(HELD.get() - 1);
    }
}

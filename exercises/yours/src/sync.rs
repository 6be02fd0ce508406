//! Given: what threads share. It is the standard library's, with one convenience: `lock` returns the guard itself, even if a thread
//! has panicked with the lock, because a runtime has to go on after a task's panic.
//!
//! Take all of this from here rather than from `std`. In the ladder another module with the same names takes its place, which can
//! stop your thread before each operation and let another thread act at that very moment. So a wake that gets lost between two of
//! your lines is found in every run, with the numbers of these lines.

use std::{
    sync::{self, PoisonError, TryLockError},
    time::{Duration, Instant},
};
pub use std::{
    sync::{MutexGuard, atomic, mpsc},
    thread,
};

/// What time it is. Take it from here too: the ladder holds this clock still to see two timers that are due at the same instant.
pub fn now() -> Instant {
    Instant::now()
}

/// `std::sync::Mutex`, where a panic leaves the lock usable.
#[derive(Debug, Default)]
pub struct Mutex<T: ?Sized>(sync::Mutex<T>);

impl<T> Mutex<T> {
    /// A lock that no thread holds.
    pub const fn new(value: T) -> Mutex<T> {
        Mutex(sync::Mutex::new(value))
    }

    /// The value, without the lock.
    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Takes the lock, and waits for it if necessary.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the lock if no thread holds it.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The value. No other code can have the lock now.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `std::sync::Condvar`.
#[derive(Debug, Default)]
pub struct Condvar(sync::Condvar);

impl Condvar {
    /// A condition variable at which no thread sleeps.
    pub const fn new() -> Condvar {
        Condvar(sync::Condvar::new())
    }

    /// Releases the lock and sleeps, both at once, until it is notified or for no reason. Then it takes the lock again.
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.0.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits as long as `condition` holds.
    pub fn wait_while<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        condition: impl FnMut(&mut T) -> bool,
    ) -> MutexGuard<'a, T> {
        let waited = self.0.wait_while(guard, condition);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// As [`wait`](Condvar::wait), but for no longer than `limit`.
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        limit: Duration,
    ) -> MutexGuard<'a, T> {
        let waited = self.0.wait_timeout(guard, limit);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Ends the sleep of one thread, if there is one.
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Ends the sleep of all threads.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}

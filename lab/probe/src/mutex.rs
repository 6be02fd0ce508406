//! A mutex that knows who holds it. A thread that waits for `std`'s may wait for itself, and nobody can tell.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    panic::Location,
    sync::{LockResult, PoisonError, TryLockError, TryLockResult},
};

use crate::{
    gap::Held,
    see::{event::What, holders, place::Line, recorder::sync},
};

/// [`std::sync::Mutex`] with the same interface and errors, which tells [`within`](crate::within) who holds it and who waits.
///
/// Put it in the place of std's when a poll hangs in a lock. [`in_gap`](crate::in_gap) acts where it is released.
#[derive(Debug, Default)]
pub struct Mutex<T: ?Sized>(std::sync::Mutex<T>);

/// What is poisoned stays so.
pub(crate) fn map<A, B>(result: LockResult<A>, f: impl FnOnce(A) -> B) -> LockResult<B> {
    match result {
        Ok(it) => Ok(f(it)),
        Err(poisoned) => Err(PoisonError::new(f(poisoned.into_inner()))),
    }
}

impl<T> Mutex<T> {
    /// A mutex that no thread holds.
    pub const fn new(value: T) -> Self {
        Self(std::sync::Mutex::new(value))
    }

    /// The value, when no other code can have it.
    pub fn into_inner(self) -> LockResult<T> {
        self.0.into_inner()
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Takes the lock, and waits for it if necessary. If this thread holds it already, it waits forever.
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let at = Location::caller();
        match self.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => Err(poisoned),
            Err(TryLockError::WouldBlock) => {
                let result = holders::waiting(self.address(), at, || self.0.lock());
                map(result, |guard| self.held(guard, at))
            }
        }
    }

    /// Takes the lock if no thread holds it.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let at = Location::caller();
        match self.0.try_lock() {
            Ok(guard) => Ok(self.held(guard, at)),
            Err(TryLockError::Poisoned(poisoned)) => {
                let guard = map(Err(poisoned), |guard| self.held(guard, at))?;
                Ok(guard)
            }
            Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
        }
    }

    /// The value, without a lock, since no other code can have it.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        self.0.get_mut()
    }

    fn held<'a>(&'a self, guard: std::sync::MutexGuard<'a, T>, taken: Line) -> MutexGuard<'a, T> {
        let mutex = self.address();
        holders::takes(mutex, taken);
        sync(mutex, taken, |lock| What::Lock { lock });
        MutexGuard {
            mutex: self,
            released: Released(mutex, taken),
            guard,
            held: Held::new(),
        }
    }

    fn address(&self) -> usize {
        (&raw const self.0).cast::<()>().addr()
    }
}

/// The lock, held until this is dropped.
pub struct MutexGuard<'a, T: ?Sized> {
    mutex: &'a Mutex<T>,
    // Before the guard: once the lock is free, the next one writes itself down.
    released: Released,
    guard: std::sync::MutexGuard<'a, T>,
    // After the guard: what happens in the gap may take the lock.
    held: Held,
}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    pub(crate) fn mutex(&self) -> &'a Mutex<T> {
        self.mutex
    }
}

/// Calls `wait`, which releases the lock and takes it again, and notes both.
pub(crate) fn unheld<'a, T>(
    guard: MutexGuard<'a, T>,
    wait: impl FnOnce(std::sync::MutexGuard<'a, T>) -> LockResult<std::sync::MutexGuard<'a, T>>,
) -> LockResult<MutexGuard<'a, T>> {
    let MutexGuard {
        mutex,
        released,
        guard,
        held,
    } = guard;
    let address = released.0;
    let holder = holders::releases(address);
    let result = wait(guard);
    holders::takes_again(address, holder);
    map(result, |guard| MutexGuard {
        mutex,
        released,
        guard,
        held,
    })
}

/// The mutex's address, and where it was taken.
struct Released(usize, Line);

impl Drop for Released {
    fn drop(&mut self) {
        sync(self.0, self.1, |lock| What::Unlock { lock });
        holders::releases(self.0);
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.guard.fmt(f)
    }
}

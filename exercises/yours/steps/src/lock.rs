//! A mutex that knows who holds it, and a condition variable for it.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    panic::Location,
    sync::{
        self, PoisonError, TryLockError,
        atomic::{AtomicU32, AtomicU64, Ordering::SeqCst},
    },
    time::Duration,
};

use crate::plan::{self, What, step};

#[derive(Default)]
pub struct Mutex<T: ?Sized> {
    /// The number of the thread that holds it, or 0, and the line in which that thread took it.
    holder: AtomicU64,
    line: AtomicU32,
    inner: sync::Mutex<T>,
}

pub struct MutexGuard<'a, T: ?Sized> {
    // Before the lock: once that is free, the next one may write itself down.
    held: Held<'a>,
    inner: sync::MutexGuard<'a, T>,
    mutex: &'a Mutex<T>,
}

/// The entry of the thread that holds the lock.
struct Held<'a>(&'a AtomicU64);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.store(0, SeqCst);
    }
}

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Mutex<T> {
        Mutex {
            holder: AtomicU64::new(0),
            line: AtomicU32::new(0),
            inner: sync::Mutex::new(value),
        }
    }

    pub fn into_inner(self) -> T {
        self.inner
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: ?Sized> Mutex<T> {
    #[track_caller]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        step(What::Lock);
        let at = Location::caller();
        let inner = match self.inner.try_lock() {
            Ok(inner) => inner,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let holder = self.holder.load(SeqCst);
                assert!(
                    holder == 0 || holder != plan::number(),
                    "in line {} this thread wants a lock that it holds already, since line {}: it would wait for itself forever. \
                     Between these two lines it runs code that isn't yours, or a destructor, under the lock",
                    at.line(),
                    self.line.load(SeqCst)
                );
                let inner = plan::waiting_for(holder, || self.inner.lock());
                inner.unwrap_or_else(PoisonError::into_inner)
            }
        };
        self.guard(inner, at)
    }

    #[track_caller]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        step(What::Lock);
        match self.inner.try_lock() {
            Ok(inner) => Some(self.guard(inner, Location::caller())),
            Err(TryLockError::Poisoned(poisoned)) => {
                Some(self.guard(poisoned.into_inner(), Location::caller()))
            }
            Err(TryLockError::WouldBlock) => None,
        }
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread whose sleep has ended has the lock again, unless it is to be slow: then it takes it later.
    fn woken<'a>(&'a self, inner: sync::MutexGuard<'a, T>) -> sync::MutexGuard<'a, T> {
        if !plan::holds() {
            return inner;
        }
        drop(inner);
        plan::is_woken();
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn guard<'a>(&'a self, inner: sync::MutexGuard<'a, T>, at: &Location<'_>) -> MutexGuard<'a, T> {
        self.holder.store(plan::number(), SeqCst);
        self.line.store(at.line(), SeqCst);
        MutexGuard {
            held: Held(&self.holder),
            inner,
            mutex: self,
        }
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

impl<T: ?Sized> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mutex")
    }
}

#[derive(Debug, Default)]
pub struct Condvar(sync::Condvar);

impl Condvar {
    pub const fn new() -> Condvar {
        Condvar(sync::Condvar::new())
    }

    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        step(What::Sleep);
        let MutexGuard { held, inner, mutex } = guard;
        drop(held);
        let inner = if plan::wakes_for_no_reason() {
            inner
        } else {
            let woken = self.0.wait(inner);
            mutex.woken(woken.unwrap_or_else(PoisonError::into_inner))
        };
        mutex.guard(inner, Location::caller())
    }

    #[track_caller]
    pub fn wait_while<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> MutexGuard<'a, T> {
        while condition(&mut guard) {
            guard = self.wait(guard);
        }
        guard
    }

    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        limit: Duration,
    ) -> MutexGuard<'a, T> {
        step(What::Sleep);
        let MutexGuard { held, inner, mutex } = guard;
        drop(held);
        let limit = if plan::wakes_for_no_reason() {
            Duration::ZERO
        } else {
            limit
        };
        let waited = self.0.wait_timeout(inner, limit);
        let (inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        mutex.guard(mutex.woken(inner), Location::caller())
    }

    #[track_caller]
    pub fn notify_one(&self) {
        step(What::Notify);
        self.0.notify_one();
    }

    #[track_caller]
    pub fn notify_all(&self) {
        step(What::Notify);
        self.0.notify_all();
    }
}

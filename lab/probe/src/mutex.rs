//! A mutex that knows who holds it. A thread that waits for `std`'s may wait for itself, and nobody can tell.

use std::{
    collections::BTreeMap,
    fmt,
    ops::{Deref, DerefMut},
    panic::Location,
    sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult},
    thread::ThreadId,
};

use crate::{event::What, gap::Held, place::Place, recorder::sync};

/// [`std::sync::Mutex`] with the same interface and errors, which tells [`within`](crate::within) who holds it and who waits.
///
/// Put it in the place of std's when a poll hangs in a lock. [`in_gap`](crate::in_gap) acts where it is released.
#[derive(Debug, Default)]
pub struct Mutex<T: ?Sized>(std::sync::Mutex<T>);

/// Who holds which mutex, by its address, and who waits.
struct Table {
    holders: BTreeMap<usize, Holder>,
    waits: Vec<(ThreadId, usize, &'static Location<'static>)>,
}

#[derive(Clone)]
pub(crate) struct Holder {
    pub(crate) place: Arc<Place>,
    taken: &'static Location<'static>,
}

static TABLE: std::sync::Mutex<Table> = std::sync::Mutex::new(Table {
    holders: BTreeMap::new(),
    waits: Vec::new(),
});

/// No code of a user runs under the probe's own locks.
pub(crate) fn own<T>(lock: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    lock.lock().expect("no thread panics under it")
}

fn table() -> std::sync::MutexGuard<'static, Table> {
    own(&TABLE)
}

/// What is poisoned stays so.
pub(crate) fn map<A, B>(result: LockResult<A>, f: impl FnOnce(A) -> B) -> LockResult<B> {
    match result {
        Ok(it) => Ok(f(it)),
        Err(poisoned) => Err(PoisonError::new(f(poisoned.into_inner()))),
    }
}

/// A wait for a mutex, as it is at this moment.
#[derive(Clone)]
pub(crate) struct Wait {
    pub(crate) holder: Holder,
    /// Where the other one waits for it.
    wanted: &'static Location<'static>,
}

impl Wait {
    pub(crate) fn text(&self) -> String {
        let (Holder { place, taken }, wanted) = (&self.holder, self.wanted);
        format!("taken at {taken} by {}, wanted at {wanted}", place.name)
    }
}

/// For which lock this thread waits, if it waits for one that has a holder.
pub(crate) fn wait_of(thread: ThreadId) -> Option<Wait> {
    let table = table();
    let mut waits = table.waits.iter();
    let &(_, mutex, wanted) = waits.find(|(waiting, ..)| *waiting == thread)?;
    let holder = table.holders.get(&mutex)?.clone();
    Some(Wait { holder, wanted })
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
                let thread = std::thread::current().id();
                table().waits.push((thread, self.address(), at));
                let result = self.0.lock();
                table().waits.retain(|(waiting, ..)| *waiting != thread);
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
            Err(TryLockError::Poisoned(it)) => Ok(map(Err(it), |guard| self.held(guard, at))?),
            Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
        }
    }

    /// The value, without a lock, since no other code can have it.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        self.0.get_mut()
    }

    fn held<'a>(
        &'a self,
        guard: std::sync::MutexGuard<'a, T>,
        taken: &'static Location<'static>,
    ) -> MutexGuard<'a, T> {
        let mutex = self.address();
        let holder = Holder {
            place: Place::here(),
            taken,
        };
        table().holders.insert(mutex, holder);
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
    let holder = table().holders.remove(&address);
    let result = wait(guard);
    table().holders.extend(holder.map(|it| (address, it)));
    map(result, |guard| MutexGuard {
        mutex,
        released,
        guard,
        held,
    })
}

/// The mutex's address, and where it was taken.
struct Released(usize, &'static Location<'static>);

impl Drop for Released {
    fn drop(&mut self) {
        sync(self.0, self.1, |lock| What::Unlock { lock });
        table().holders.remove(&self.0);
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

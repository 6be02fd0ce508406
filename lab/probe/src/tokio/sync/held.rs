//! Guards and permits, which are holds as well.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    panic::Location,
};

use ::tokio::sync as plain;

use crate::{Hold, Resource};

/// A guard of a library, and the hold that it is.
#[derive(Debug)]
pub struct Held<G> {
    // Before the hold: it ends when the lock is free.
    pub(super) guard: G,
    pub(super) hold: Hold,
}

impl<G: Deref> Deref for Held<G> {
    type Target = G::Target;

    fn deref(&self) -> &G::Target {
        &self.guard
    }
}

impl<G: DerefMut> DerefMut for Held<G> {
    fn deref_mut(&mut self) -> &mut G::Target {
        &mut self.guard
    }
}

impl<G: fmt::Display> fmt::Display for Held<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.guard.fmt(f)
    }
}

/// What a library has taken from tokio's own, of which nobody here waits for the rest.
impl<G> From<G> for Held<G> {
    #[track_caller]
    fn from(guard: G) -> Self {
        let hold = Resource::new("guard").hold();
        Held { guard, hold }
    }
}

pub type MutexGuard<'a, T> = Held<plain::MutexGuard<'a, T>>;
pub type OwnedMutexGuard<T> = Held<plain::OwnedMutexGuard<T>>;
pub type RwLockReadGuard<'a, T> = Held<plain::RwLockReadGuard<'a, T>>;
pub type RwLockWriteGuard<'a, T> = Held<plain::RwLockWriteGuard<'a, T>>;
pub type OwnedRwLockReadGuard<T, U = T> = Held<plain::OwnedRwLockReadGuard<T, U>>;
pub type OwnedRwLockWriteGuard<T> = Held<plain::OwnedRwLockWriteGuard<T>>;
pub type SemaphorePermit<'a> = Held<plain::SemaphorePermit<'a>>;
pub type OwnedSemaphorePermit = Held<plain::OwnedSemaphorePermit>;

macro_rules! permits {
    ($($permit:ty),*) => {$(impl Held<$permit> {
        #[track_caller]
        pub fn forget(self) {
            self.hold.forget(Location::caller());
            self.guard.forget();
        }

        pub fn num_permits(&self) -> usize {
            self.guard.num_permits()
        }

        pub fn split(&mut self, n: usize) -> Option<Self> {
            let guard = self.guard.split(n)?;
            let hold = self.hold.split(n);
            Some(Held { guard, hold })
        }

        #[track_caller]
        pub fn merge(&mut self, other: Self) {
            self.guard.merge(other.guard);
            self.hold.merge(other.hold);
        }
    })*};
}

permits! { plain::SemaphorePermit<'_>, plain::OwnedSemaphorePermit }

/// As tokio's own. Who has it is not known from then on.
impl From<OwnedSemaphorePermit> for plain::OwnedSemaphorePermit {
    #[track_caller]
    fn from(held: OwnedSemaphorePermit) -> Self {
        held.hold.stop_watching(Location::caller());
        held.guard
    }
}

/// A guard of a part of what is locked, and no two of them: it holds what the whole one held.
macro_rules! maps {
    ($([$($generics:tt)*] $guard:ty, $($mutable:ident)? => $part:ty [$($bound:tt)+];)*) => {$(
        impl<$($generics)*> Held<$guard> {
            pub fn map<U: $($bound)+>(
                this: Self,
                f: impl FnOnce(maps!(@ $($mutable)? T)) -> maps!(@ $($mutable)? U),
            ) -> Held<$part> {
                let guard = <$guard>::map(this.guard, f);
                Held { guard, hold: this.hold }
            }

            pub fn try_map<U: $($bound)+>(
                this: Self,
                f: impl FnOnce(maps!(@ $($mutable)? T)) -> Option<maps!(@ $($mutable)? U)>,
            ) -> Result<Held<$part>, Self> {
                let hold = this.hold;
                match <$guard>::try_map(this.guard, f) {
                    Ok(guard) => Ok(Held { guard, hold }),
                    Err(guard) => Err(Held { guard, hold }),
                }
            }
        }
    )*};
    (@ mutable $T:ident) => { &mut $T };
    (@ $T:ident) => { &$T };
}

maps! {
    ['a, T: ?Sized] plain::MutexGuard<'a, T>, mutable => plain::MappedMutexGuard<'a, U> [?Sized];
    [T: ?Sized] plain::OwnedMutexGuard<T>, mutable => plain::OwnedMappedMutexGuard<T, U> [?Sized];
    ['a, T: ?Sized] plain::RwLockReadGuard<'a, T>, => plain::RwLockReadGuard<'a, U> [?Sized];
    ['a, T: ?Sized] plain::RwLockWriteGuard<'a, T>, mutable => plain::RwLockMappedWriteGuard<'a, U> [?Sized];
    ['a, T: ?Sized] plain::MappedMutexGuard<'a, T>, mutable => plain::MappedMutexGuard<'a, U> [Sized];
    [O: ?Sized, T: ?Sized] plain::OwnedMappedMutexGuard<O, T>, mutable => plain::OwnedMappedMutexGuard<O, U> [Sized];
    [O: ?Sized, T: ?Sized] plain::OwnedRwLockReadGuard<O, T>, => plain::OwnedRwLockReadGuard<O, U> [?Sized];
    ['a, T: ?Sized] plain::RwLockMappedWriteGuard<'a, T>, mutable => plain::RwLockMappedWriteGuard<'a, U> [?Sized];
    [O: ?Sized, T: ?Sized] plain::OwnedRwLockMappedWriteGuard<O, T>, mutable => plain::OwnedRwLockMappedWriteGuard<O, U> [?Sized];
    [T: ?Sized] plain::OwnedRwLockWriteGuard<T>, mutable => plain::OwnedRwLockMappedWriteGuard<T, U> [?Sized];
}

pub type MappedMutexGuard<'a, T> = Held<plain::MappedMutexGuard<'a, T>>;
pub type OwnedMappedMutexGuard<T, U = T> = Held<plain::OwnedMappedMutexGuard<T, U>>;
pub type RwLockMappedWriteGuard<'a, T> = Held<plain::RwLockMappedWriteGuard<'a, T>>;
pub type OwnedRwLockMappedWriteGuard<T, U = T> = Held<plain::OwnedRwLockMappedWriteGuard<T, U>>;

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    pub fn downgrade(self) -> RwLockReadGuard<'a, T> {
        let guard = self.guard.downgrade();
        Held {
            guard,
            hold: self.hold,
        }
    }
}

impl<T: ?Sized> OwnedRwLockWriteGuard<T> {
    pub fn downgrade(self) -> OwnedRwLockReadGuard<T> {
        let guard = self.guard.downgrade();
        Held {
            guard,
            hold: self.hold,
        }
    }
}

//! A lock.

use std::{panic::Location, sync::Arc};

use ::tokio::sync as plain;

use super::{
    TryLockError,
    held::{MutexGuard, OwnedMutexGuard},
    shared::Shared,
};
use crate::see::{facts::Has, resource::ResourceKind};

pub type Mutex<T> = Shared<plain::Mutex<T>>;

impl<T> Mutex<T> {
    #[track_caller]
    pub fn new(value: T) -> Self {
        Self::made(plain::Mutex::new(value), ResourceKind::Lock, None)
    }

    #[track_caller]
    pub const fn const_new(value: T) -> Self {
        Self::fixed(plain::Mutex::const_new(value), ResourceKind::Lock, None)
    }

    pub fn into_inner(self) -> T {
        self.inner.into_inner().into_inner()
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.inner.get_mut().get_mut()
    }

    #[track_caller]
    pub fn lock(&self) -> impl Future<Output = MutexGuard<'_, T>> {
        let at = Location::caller();
        async move { self.waits(self.inner.lock(), Has::Now, at).await }
    }

    #[track_caller]
    pub fn lock_owned(self: Arc<Self>) -> impl Future<Output = OwnedMutexGuard<T>> {
        let at = Location::caller();
        async move {
            self.waits(self.inner.owned().lock_owned(), Has::Took, at)
                .await
        }
    }

    #[track_caller]
    pub fn try_lock(&self) -> Result<MutexGuard<'_, T>, TryLockError> {
        self.tries(1, Has::Now, || self.inner.try_lock())
    }

    #[track_caller]
    pub fn try_lock_owned(self: Arc<Self>) -> Result<OwnedMutexGuard<T>, TryLockError> {
        self.tries(1, Has::Took, || self.inner.owned().try_lock_owned())
    }

    #[track_caller]
    pub fn blocking_lock(&self) -> MutexGuard<'_, T> {
        self.blocks(Has::Now, || self.inner.blocking_lock())
    }

    #[track_caller]
    pub fn blocking_lock_owned(self: Arc<Self>) -> OwnedMutexGuard<T> {
        self.blocks(Has::Took, || self.inner.owned().blocking_lock_owned())
    }
}

impl<T: Default> Default for Mutex<T> {
    #[track_caller]
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for Mutex<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

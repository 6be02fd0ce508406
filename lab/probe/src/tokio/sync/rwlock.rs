//! A lock for many readers or one writer.

use std::{panic::Location, sync::Arc};

use ::tokio::sync as plain;

use super::{
    TryLockError,
    held::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLockReadGuard, RwLockWriteGuard},
    shared::Shared,
};
use crate::see::{facts::Has, resource::ResourceKind};

pub type RwLock<T> = Shared<plain::RwLock<T>>;

impl<T> RwLock<T> {
    #[track_caller]
    pub fn new(value: T) -> Self {
        Self::made(plain::RwLock::new(value), ResourceKind::Lock, None)
    }

    #[track_caller]
    pub const fn const_new(value: T) -> Self {
        Self::fixed(plain::RwLock::const_new(value), ResourceKind::Lock, None)
    }

    #[track_caller]
    pub fn with_max_readers(value: T, most: u32) -> Self {
        let lock = plain::RwLock::with_max_readers(value, most);
        Self::made(lock, ResourceKind::Lock, None)
    }

    #[track_caller]
    pub const fn const_with_max_readers(value: T, most: u32) -> Self {
        let lock = plain::RwLock::const_with_max_readers(value, most);
        Self::fixed(lock, ResourceKind::Lock, None)
    }

    pub fn into_inner(self) -> T {
        self.inner.into_inner().into_inner()
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.inner.get_mut().get_mut()
    }

    #[track_caller]
    pub fn read(&self) -> impl Future<Output = RwLockReadGuard<'_, T>> {
        let at = Location::caller();
        async move { self.waits(self.inner.read(), Has::Now, at).await }
    }

    #[track_caller]
    pub fn read_owned(self: Arc<Self>) -> impl Future<Output = OwnedRwLockReadGuard<T>> {
        let at = Location::caller();
        async move {
            self.waits(self.inner.owned().read_owned(), Has::Took, at)
                .await
        }
    }

    #[track_caller]
    pub fn try_read(&self) -> Result<RwLockReadGuard<'_, T>, TryLockError> {
        self.tries(1, Has::Now, || self.inner.try_read())
    }

    #[track_caller]
    pub fn try_read_owned(self: Arc<Self>) -> Result<OwnedRwLockReadGuard<T>, TryLockError> {
        self.tries(1, Has::Took, || self.inner.owned().try_read_owned())
    }

    #[track_caller]
    pub fn blocking_read(&self) -> RwLockReadGuard<'_, T> {
        self.blocks(Has::Now, || self.inner.blocking_read())
    }

    #[track_caller]
    pub fn write(&self) -> impl Future<Output = RwLockWriteGuard<'_, T>> {
        let at = Location::caller();
        async move { self.waits(self.inner.write(), Has::Now, at).await }
    }

    #[track_caller]
    pub fn write_owned(self: Arc<Self>) -> impl Future<Output = OwnedRwLockWriteGuard<T>> {
        let at = Location::caller();
        async move {
            self.waits(self.inner.owned().write_owned(), Has::Took, at)
                .await
        }
    }

    #[track_caller]
    pub fn try_write(&self) -> Result<RwLockWriteGuard<'_, T>, TryLockError> {
        self.tries(1, Has::Now, || self.inner.try_write())
    }

    #[track_caller]
    pub fn try_write_owned(self: Arc<Self>) -> Result<OwnedRwLockWriteGuard<T>, TryLockError> {
        self.tries(1, Has::Took, || self.inner.owned().try_write_owned())
    }

    #[track_caller]
    pub fn blocking_write(&self) -> RwLockWriteGuard<'_, T> {
        self.blocks(Has::Now, || self.inner.blocking_write())
    }
}

impl<T: Default> Default for RwLock<T> {
    #[track_caller]
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for RwLock<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

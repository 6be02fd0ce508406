//! Permits, of which there are so many.

use std::{panic::Location, sync::Arc};

use ::tokio::sync as plain;

use super::{
    AcquireError, TryAcquireError,
    held::{Held, OwnedSemaphorePermit, SemaphorePermit},
    shared::Shared,
};
use crate::see::{facts::Has, place::Line, resource::ResourceKind};

pub type Semaphore = Shared<plain::Semaphore>;

impl Semaphore {
    #[track_caller]
    pub fn new(permits: usize) -> Self {
        Self::made(
            plain::Semaphore::new(permits),
            ResourceKind::Permits,
            Some(permits),
        )
    }

    #[track_caller]
    pub const fn const_new(permits: usize) -> Self {
        Self::fixed(
            plain::Semaphore::const_new(permits),
            ResourceKind::Permits,
            Some(permits),
        )
    }

    async fn acquires<G>(
        &self,
        n: u32,
        wait: impl Future<Output = Result<G, AcquireError>>,
        has: Has,
        at: Line,
    ) -> Result<Held<G>, AcquireError> {
        let guard = self.resource.wait_many(n as usize, wait, at).await?;
        let hold = self.resource.hold_many(n as usize, at, has);
        Ok(Held { guard, hold })
    }

    #[track_caller]
    pub fn acquire(&self) -> impl Future<Output = Result<SemaphorePermit<'_>, AcquireError>> {
        let at = Location::caller();
        async move { self.acquires(1, self.inner.acquire(), Has::Now, at).await }
    }

    #[track_caller]
    pub fn try_acquire(&self) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        self.tries(1, Has::Now, || self.inner.try_acquire())
    }

    #[track_caller]
    pub fn acquire_owned(
        self: Arc<Self>,
    ) -> impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> {
        let at = Location::caller();
        async move {
            self.acquires(1, self.inner.owned().acquire_owned(), Has::Took, at)
                .await
        }
    }

    #[track_caller]
    pub fn try_acquire_owned(self: Arc<Self>) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        self.tries(1, Has::Took, || self.inner.owned().try_acquire_owned())
    }

    #[track_caller]
    pub fn acquire_many(
        &self,
        n: u32,
    ) -> impl Future<Output = Result<SemaphorePermit<'_>, AcquireError>> {
        let at = Location::caller();
        async move {
            self.acquires(n, self.inner.acquire_many(n), Has::Now, at)
                .await
        }
    }

    #[track_caller]
    pub fn try_acquire_many(&self, n: u32) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        self.tries(n, Has::Now, || self.inner.try_acquire_many(n))
    }

    #[track_caller]
    pub fn acquire_many_owned(
        self: Arc<Self>,
        n: u32,
    ) -> impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> {
        let at = Location::caller();
        async move {
            self.acquires(n, self.inner.owned().acquire_many_owned(n), Has::Took, at)
                .await
        }
    }

    #[track_caller]
    pub fn try_acquire_many_owned(
        self: Arc<Self>,
        n: u32,
    ) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        self.tries(n, Has::Took, || {
            self.inner.owned().try_acquire_many_owned(n)
        })
    }

    pub fn add_permits(&self, n: usize) {
        self.resource.uses().come += n;
        self.inner.add_permits(n);
    }

    #[track_caller]
    pub fn forget_permits(&self, n: usize) -> usize {
        let (forgotten, at) = (self.inner.forget_permits(n), Location::caller());
        self.resource.lose(forgotten, at, Has::Forgot);
        forgotten
    }
}

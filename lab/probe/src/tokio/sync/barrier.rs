//! A place where tasks wait for each other.

use std::panic::Location;

use ::tokio::sync as plain;

use super::{BarrierWaitResult, shared::Shared};
use crate::see::resource::ResourceKind;

pub type Barrier = Shared<plain::Barrier>;

impl Barrier {
    #[track_caller]
    pub fn new(n: usize) -> Self {
        Self::made(plain::Barrier::new(n), ResourceKind::Barrier, Some(n))
    }

    #[track_caller]
    pub fn wait(&self) -> impl Future<Output = BarrierWaitResult> {
        let at = Location::caller();
        async move {
            self.resource.note_who_comes(at);
            self.resource.wait_many(1, self.inner.wait(), at).await
        }
    }
}

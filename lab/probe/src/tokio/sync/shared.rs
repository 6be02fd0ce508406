//! What tasks share: a lock, permits, a notification or a barrier.

use std::{
    ops::Deref,
    panic::Location,
    sync::{Arc, OnceLock},
};

use super::held::Held;
use crate::{
    Resource,
    see::{facts::Has, place::Line, resource::ResourceKind},
};

/// What tasks share, and who has it or waits for it. As tokio's own, it is what this derefs to.
#[derive(Debug)]
pub struct Shared<S> {
    pub(super) resource: Known,
    pub(super) inner: Store<S>,
}

/// Made at the first use, because a `const fn` cannot allocate.
#[derive(Debug)]
pub(super) struct Known {
    kind: ResourceKind,
    at: Line,
    total: Option<usize>,
    resource: OnceLock<Resource>,
}

#[derive(Debug)]
pub(super) enum Store<S> {
    /// A guard may own a part of it.
    Shared(Arc<S>),
    /// By `const_new`.
    Fixed(S),
}

impl Known {
    const fn new(kind: ResourceKind, at: Line, total: Option<usize>) -> Self {
        let resource = OnceLock::new();
        Known {
            kind,
            at,
            total,
            resource,
        }
    }
}

impl Deref for Known {
    type Target = Resource;

    fn deref(&self) -> &Resource {
        self.resource.get_or_init(|| {
            let resource = Resource::new_at(self.kind, self.at);
            resource.uses().total = self.total;
            resource
        })
    }
}

impl<S> Store<S> {
    pub(super) fn owned(&self) -> Arc<S> {
        match self {
            Store::Shared(shared) => shared.clone(),
            Store::Fixed(_) => {
                panic!("what `const_new` made is owned by no guard here: make it by `new`")
            }
        }
    }

    pub(super) fn into_inner(self) -> S {
        match self {
            Store::Shared(shared) => {
                Arc::into_inner(shared).expect("a guard that owns it keeps it from being moved")
            }
            Store::Fixed(shared) => shared,
        }
    }

    pub(super) fn get_mut(&mut self) -> &mut S {
        match self {
            Store::Shared(shared) => Arc::get_mut(shared).expect("no guard that owns it is left"),
            Store::Fixed(shared) => shared,
        }
    }
}

impl<S> Deref for Store<S> {
    type Target = S;

    fn deref(&self) -> &S {
        match self {
            Store::Shared(shared) => shared,
            Store::Fixed(shared) => shared,
        }
    }
}

impl<S> Deref for Shared<S> {
    type Target = S;

    fn deref(&self) -> &S {
        // What is called by this reference is not seen.
        self.resource.0.stop_counting();
        &self.inner
    }
}

impl<S> Shared<S> {
    /// As tokio's own, for what owns it. What has it or waits for it there is not known here.
    #[track_caller]
    pub fn to_tokio(&self) -> Arc<S> {
        self.resource.lose(1, Location::caller(), Has::Unwatched);
        self.inner.owned()
    }

    /// `total`: how many there are of what is counted.
    #[track_caller]
    pub(super) fn made(inner: S, kind: ResourceKind, total: Option<usize>) -> Self {
        Shared {
            resource: Known::new(kind, Location::caller(), total),
            inner: Store::Shared(Arc::new(inner)),
        }
    }

    /// The same, by `const_new`.
    #[track_caller]
    pub(super) const fn fixed(inner: S, kind: ResourceKind, total: Option<usize>) -> Self {
        Shared {
            resource: Known::new(kind, Location::caller(), total),
            inner: Store::Fixed(inner),
        }
    }

    /// Waits for a guard.
    pub(super) async fn waits<G>(
        &self,
        wait: impl Future<Output = G>,
        has: Has,
        at: Line,
    ) -> Held<G> {
        let guard = self.resource.wait_many(1, wait, at).await;
        let hold = self.resource.hold_many(1, at, has);
        Held { guard, hold }
    }

    /// Has a guard at once, or blocks this thread until it has.
    #[track_caller]
    pub(super) fn blocks<G>(&self, has: Has, call: impl FnOnce() -> G) -> Held<G> {
        let at = Location::caller();
        let guard = self.resource.block(at, call);
        let hold = self.resource.hold_many(1, at, has);
        Held { guard, hold }
    }

    /// Has so many of it at once, or not at all.
    #[track_caller]
    pub(super) fn tries<G, E>(
        &self,
        many: u32,
        has: Has,
        call: impl FnOnce() -> Result<G, E>,
    ) -> Result<Held<G>, E> {
        let guard = call()?;
        let hold = self
            .resource
            .hold_many(many as usize, Location::caller(), has);
        Ok(Held { guard, hold })
    }
}

//! What a preset is made of, and how an executor is made of it and dropped.

use std::{rc::Rc, sync::Arc};

use super::here::{self, IsHere, Object};
use crate::{BoxFuture, fixtures::comes_true};

/// Spawns on the runtime that runs.
pub(super) type SpawnBeside = Arc<dyn Fn(BoxFuture) + Send + Sync>;

/// What a preset is made of.
#[derive(Clone, Copy)]
pub(super) enum Runs {
    Functions {
        block_on: fn(BoxFuture),
        spawn: fn(BoxFuture),
    },
    Closures(&'static dyn Run),
}

impl Runs {
    /// A preset is copied, so its closures are kept to the end of the process.
    pub fn closures(run: impl Run + 'static) -> Runs {
        Runs::Closures(Box::leak(Box::new(run)))
    }

    /// Runs what `root` makes of that which spawns.
    pub fn once(&self, root: impl FnOnce(SpawnBeside) -> BoxFuture) {
        match *self {
            Runs::Functions { block_on, spawn } => block_on(root(Arc::new(spawn))),
            Runs::Closures(closures) => {
                let mut root = Some(root);
                closures.with(&mut |block_on, spawn| {
                    let root = root.take().expect("it is made once");
                    block_on(root(spawn));
                });
            }
        }
    }
}

/// Runs a future on one executor, as often as it is called.
pub(super) type BlockOnIt<'a> = &'a dyn Fn(BoxFuture);

pub(super) trait Run: Sync {
    /// Makes an executor, calls `uses` with what runs a future on it and what spawns on it, and drops the executor.
    fn with(&'static self, uses: &mut dyn FnMut(BlockOnIt<'_>, SpawnBeside));
}

/// A closure that runs one future, and spawns none.
pub(super) struct BlockOn<B>(pub B);

impl<B: Fn(BoxFuture) + Sync> Run for BlockOn<B> {
    fn with(&'static self, uses: &mut dyn FnMut(BlockOnIt<'_>, SpawnBeside)) {
        uses(&self.0, Arc::new(drop));
    }
}

/// An object that may be bound to its thread.
pub(super) struct Owned<M, B, S> {
    pub make: M,
    pub block_on: B,
    pub spawn: S,
}

impl<H, M, B, S> Run for Owned<M, B, S>
where
    H: 'static,
    M: Fn() -> H + Sync,
    B: Fn(&H, BoxFuture) + Sync,
    S: Fn(&H, BoxFuture) + Send + Sync,
{
    fn with(&'static self, uses: &mut dyn FnMut(BlockOnIt<'_>, SpawnBeside)) {
        let object = Rc::new((self.make)());
        let _here = IsHere::enter(Object::Bound(object.clone())); // until before the object is dropped, whose tasks find none then
        let spawn = |task| here::with(|object| (self.spawn)(object, task));
        uses(&|root| (self.block_on)(&object, root), Arc::new(spawn));
    }
}

/// An object that has threads of its own.
pub(super) struct Pool<M, B, S>(pub Owned<M, B, S>);

impl<H, M, B, S> Run for Pool<M, B, S>
where
    H: Send + Sync + 'static,
    M: Fn() -> H + Sync,
    B: Fn(&H, BoxFuture) + Sync,
    S: Fn(&H, BoxFuture) + Send + Sync,
{
    fn with(&'static self, uses: &mut dyn FnMut(BlockOnIt<'_>, SpawnBeside)) {
        let Pool(Owned {
            make,
            block_on,
            spawn,
        }) = self;
        let pool = Arc::new(make());
        let weak = Arc::downgrade(&pool);
        let spawns = move |task| {
            if let Some(pool) = weak.upgrade() {
                spawn(&pool, task);
            }
        };
        let here = IsHere::enter(Object::Shared(pool.clone()));
        uses(&|root| block_on(&pool, root), Arc::new(spawns));
        drop(here);
        // One of its threads may be spawning. It must not be the one that drops it.
        let (mut shared, mut own) = (Some(pool), None);
        let is_own = comes_true(|| {
            match shared.take().map(Arc::try_unwrap) {
                Some(Ok(pool)) => own = Some(pool),
                Some(Err(pool)) => shared = Some(pool),
                None => {}
            }
            own.is_some()
        });
        assert!(is_own, "`block_on` has returned, and a `spawn` has not");
    }
}

//! The two executors of futures. They have no timers and no sockets, so they use those of async-io.

use std::{cell::RefCell, future::Future};

use futures::{
    executor::{LocalPool, LocalSpawner, ThreadPool, block_on},
    future::RemoteHandle,
    task::{LocalSpawnExt, SpawnExt},
};

use super::async_net::OnAsyncIo;
use crate::runtime::{Runtime, Spawn};

const SPAWNS: &str = "the pool is there";

thread_local! {
    /// The spawner of this thread's pool: it is not `Send`, and the tasks of all workloads are.
    static SPAWNER: RefCell<Option<LocalSpawner>> = const { RefCell::new(None) };
}

/// One thread.
pub(crate) struct Local(LocalPool);

impl Runtime for Local {
    type Spawner = OnThisThread;

    fn start() -> Local {
        let pool = LocalPool::new();
        SPAWNER.set(Some(pool.spawner()));
        Local(pool)
    }

    fn block_on<F>(&mut self, main: impl FnOnce(OnThisThread) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.0.run_until(main(OnThisThread))
    }
}

impl OnAsyncIo for Local {}

#[derive(Clone)]
pub(crate) struct OnThisThread;

impl OnThisThread {
    fn with<T>(&self, act: impl FnOnce(&LocalSpawner) -> T) -> T {
        SPAWNER.with_borrow(|it| act(it.as_ref().expect(SPAWNS)))
    }
}

impl Spawn for OnThisThread {
    type Join<T: Send + 'static> = RemoteHandle<T>;

    fn spawn<T, F>(&self, future: F) -> RemoteHandle<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let spawned = self.with(|it| it.spawn_local_with_handle(future));
        spawned.expect(SPAWNS)
    }

    fn detach<F: Future<Output = ()> + Send + 'static>(&self, future: F) {
        self.with(|it| it.spawn_local(future)).expect(SPAWNS);
    }
}

/// Two threads, and a queue that they share.
pub(crate) struct Pool(ThreadPool);

impl Runtime for Pool {
    type Spawner = ThreadPool;

    fn start() -> Pool {
        let pool = ThreadPool::builder().pool_size(2).create();
        Pool(pool.expect("threads for the pool"))
    }

    fn block_on<F>(&mut self, main: impl FnOnce(ThreadPool) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        block_on(main(self.0.clone()))
    }
}

impl OnAsyncIo for Pool {}

impl Spawn for ThreadPool {
    type Join<T: Send + 'static> = RemoteHandle<T>;

    fn spawn<T, F>(&self, future: F) -> RemoteHandle<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        self.spawn_with_handle(future).expect(SPAWNS)
    }

    fn detach<F: Future<Output = ()> + Send + 'static>(&self, future: F) {
        self.spawn_ok(future);
    }
}

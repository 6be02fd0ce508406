//! Stage 08, version 2: two workers that share a queue. It has neither timers nor sockets.

use std::future::Future;

use step08_join_handle::{JoinHandle, spawn, yield_now};

use crate::runtime::{Joined, Runtime, Spawn};

pub(crate) struct Step08(step08_join_handle::Runtime);

impl Runtime for Step08 {
    type Spawner = Spawner;

    fn start() -> Step08 {
        Step08(step08_join_handle::Runtime::new(2))
    }

    fn block_on<F>(&mut self, main: impl FnOnce(Spawner) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.0.block_on(main(Spawner))
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        yield_now()
    }
}

/// The free function `spawn`.
#[derive(Clone)]
pub(crate) struct Spawner;

impl Spawn for Spawner {
    type Join<T: Send + 'static> = Joined<JoinHandle<T>>;

    fn spawn<T, F>(&self, future: F) -> Self::Join<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        Joined(spawn(future))
    }

    fn detach<F: Future<Output = ()> + Send + 'static>(&self, future: F) {
        drop(spawn(future));
    }
}

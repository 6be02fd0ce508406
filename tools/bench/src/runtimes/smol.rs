//! smol's own executor, which all of a process share. `SMOL_THREADS` says how many threads run it.

use std::future::Future;

use smol::Task;

use super::async_net::OnAsyncIo;
use crate::runtime::{Runtime, Spawn};

#[derive(Clone)]
pub(crate) struct Smol;

impl Runtime for Smol {
    type Spawner = Smol;

    fn start() -> Smol {
        Smol
    }

    fn block_on<F>(&mut self, main: impl FnOnce(Smol) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        smol::block_on(main(Smol))
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        smol::future::yield_now()
    }
}

impl OnAsyncIo for Smol {}

impl Spawn for Smol {
    type Join<T: Send + 'static> = Task<T>;

    fn spawn<T, F>(&self, future: F) -> Task<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        smol::spawn(future)
    }

    fn detach<F: Future<Output = ()> + Send + 'static>(&self, future: F) {
        smol::spawn(future).detach();
    }
}

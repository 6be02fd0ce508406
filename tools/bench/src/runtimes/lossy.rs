//! A runtime that loses every seventh task, which a measurement must notice. It drops a task that has a handle, and forgets one
//! that has none.

use std::{
    future::Future,
    mem,
    sync::atomic::{AtomicUsize, Ordering},
};

use futures::channel::oneshot::Receiver;

use super::futures::{Local, OnThisThread};
use crate::runtime::{Joined, Runtime, Spawn, with_oneshot};

static SPAWNED: AtomicUsize = AtomicUsize::new(0);

pub(crate) const NAME: &str = "lossy";

pub(crate) struct Lossy(Local);

impl Runtime for Lossy {
    type Spawner = Spawner;

    fn start() -> Lossy {
        Lossy(Local::start())
    }

    fn block_on<F>(&mut self, main: impl FnOnce(Spawner) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.0.block_on(|_| main(Spawner))
    }
}

#[derive(Clone)]
pub(crate) struct Spawner;

impl Spawn for Spawner {
    type Join<T: Send + 'static> = Joined<Receiver<T>>;

    fn spawn<T, F>(&self, future: F) -> Self::Join<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let (future, output) = with_oneshot(future);
        match is_lost() {
            true => drop(future),
            false => OnThisThread.detach(future),
        }
        Joined(output)
    }

    fn detach<F: Future<Output = ()> + Send + 'static>(&self, future: F) {
        match is_lost() {
            true => mem::forget(future),
            false => OnThisThread.detach(future),
        }
    }
}

fn is_lost() -> bool {
    SPAWNED.fetch_add(1, Ordering::Relaxed) % 7 == 6
}

//! Stage 04, version 3: a channel is the queue, on one thread. `run` uses the executor up, so each `block_on` makes one.

use std::future::Future;

use futures::channel::oneshot::Receiver;
use step04_channel_executor::{Spawner, executor, yield_now};

use crate::runtime::{Joined, Runtime, Spawn, with_oneshot};

pub(crate) struct Step04;

impl Runtime for Step04 {
    type Spawner = Spawner;

    fn start() -> Step04 {
        Step04
    }

    fn block_on<F>(&mut self, main: impl FnOnce(Spawner) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let (executor, spawner) = executor();
        let (main, mut output) = with_oneshot(main(spawner.clone()));
        spawner.spawn(main);
        drop(spawner);
        executor.run();
        let output = output.try_recv().ok().flatten();
        output.expect("`run` returns when every task has ended")
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        yield_now()
    }
}

impl Spawn for Spawner {
    type Join<T: Send + 'static> = Joined<Receiver<T>>;

    fn spawn<T, F>(&self, future: F) -> Self::Join<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let (future, output) = with_oneshot(future);
        self.spawn(future);
        Joined(output)
    }

    fn detach<F: Future<Output = ()> + Send + 'static>(&self, future: F) {
        self.spawn(future);
    }
}

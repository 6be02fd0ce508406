//! Stage 07, version 2: mini-tokio on one thread, with a delay that starts a thread.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use futures::channel::oneshot::Receiver;
use step07_mini_tokio::{Delay, Handle, MiniTokio};

use crate::runtime::{Joined, Runtime, Sleep, Spawn, with_oneshot};

pub(crate) struct Step07(MiniTokio);

impl Runtime for Step07 {
    type Spawner = Handle;

    fn start() -> Step07 {
        Step07(MiniTokio::new())
    }

    fn block_on<F>(&mut self, main: impl FnOnce(Handle) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let (main, mut output) = with_oneshot(main(self.0.handle()));
        self.0.spawn(main);
        self.0.run();
        let output = output.try_recv().ok().flatten();
        output.expect("`run` returns when every task has ended")
    }
}

impl Spawn for Handle {
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

impl Sleep for Step07 {
    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send {
        let delay = Delay::until(Instant::now() + duration);
        async {
            delay.await;
        }
    }
}

//! Stage 06: the timers of its reactor. It has no executor, so its tasks run on the `LocalPool` of futures.

use std::{
    future::Future,
    sync::{Arc, LazyLock},
    time::Duration,
};

use step06_reactor::{Reactor, Timer};

use super::futures::{Local, OnThisThread};
use crate::runtime::{Runtime, Sleep};

static REACTOR: LazyLock<Arc<Reactor>> = LazyLock::new(Reactor::new);

pub(crate) struct Step06(Local);

impl Runtime for Step06 {
    type Spawner = OnThisThread;

    fn start() -> Step06 {
        Step06(Local::start())
    }

    fn block_on<F>(&mut self, main: impl FnOnce(OnThisThread) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.0.block_on(main)
    }
}

impl Sleep for Step06 {
    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send {
        let timer = Timer::new(&REACTOR, duration);
        async { timer.await.expect("the reactor is never dropped") }
    }
}

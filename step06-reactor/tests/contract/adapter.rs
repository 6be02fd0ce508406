//! Puts the timers of stage 06 under the contract, on both reactors. The stage has no executor.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use contract::{Answer, BoxFuture, End, Leaf, Subject, leaf};
use step06_reactor::{Reactor, Timer};

/// What the stage has to test.
pub const SUBJECTS: [Subject; 2] = [
    Subject::leaf("step06-timer-threads", &Threads),
    Subject::leaf("step06-timer", &One),
];

/// On the reactor that starts a thread for each timer.
struct Threads;

/// On the reactor with one thread.
struct One;

impl Leaf for Threads {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        static SHARED: LazyLock<Arc<Reactor>> = LazyLock::new(Reactor::with_thread_per_timer);
        Ok(timer_on(&SHARED, after))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        Ok(timers_on(Reactor::with_thread_per_timer(), after, count))
    }
}

impl Leaf for One {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        static SHARED: LazyLock<Arc<Reactor>> = LazyLock::new(Reactor::new);
        Ok(timer_on(&SHARED, after))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        Ok(timers_on(Reactor::new(), after, count))
    }
}

fn timer_on(reactor: &Reactor, after: Duration) -> BoxFuture {
    leaf(Timer::new(reactor, after))
}

fn timers_on(reactor: Arc<Reactor>, after: Duration, count: usize) -> (Vec<BoxFuture>, End) {
    let timers = (0..count).map(|_| timer_on(&reactor, after)).collect();
    (timers, Box::new(|| drop(reactor)))
}

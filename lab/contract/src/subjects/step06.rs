//! Stage 06: timers on two reactors. It has no executor.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use step06_reactor::{Reactor, Timer};

use crate::{Answer, End, Leaf, Subject, Task, leaf};

/// What this stage has to test.
pub const SUBJECTS: &[Subject] = &[ON_A_THREAD_EACH, ON_ONE_THREAD];

/// A timer on the reactor that starts a thread for each.
pub const ON_A_THREAD_EACH: Subject = Subject::leaf("step06-timer-threads", &Threads);

/// A timer on the reactor with one thread.
pub const ON_ONE_THREAD: Subject = Subject::leaf("step06-timer", &One);

struct Threads;
struct One;

impl Leaf for Threads {
    fn timer(&self, after: Duration) -> Answer<Task> {
        static SHARED: LazyLock<Arc<Reactor>> = LazyLock::new(Reactor::with_thread_per_timer);
        Ok(timer_on(&SHARED, after))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<Task>, End)> {
        Ok(timers_on(Reactor::with_thread_per_timer(), after, count))
    }
}

impl Leaf for One {
    fn timer(&self, after: Duration) -> Answer<Task> {
        static SHARED: LazyLock<Arc<Reactor>> = LazyLock::new(Reactor::new);
        Ok(timer_on(&SHARED, after))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<Task>, End)> {
        Ok(timers_on(Reactor::new(), after, count))
    }
}

fn timer_on(reactor: &Reactor, after: Duration) -> Task {
    leaf(Timer::new(reactor, after))
}

fn timers_on(reactor: Arc<Reactor>, after: Duration, count: usize) -> (Vec<Task>, End) {
    let timers = (0..count).map(|_| timer_on(&reactor, after)).collect();
    (timers, Box::new(|| drop(reactor)))
}

//! Stage 06: timers on two reactors. It has no executor.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use step06_reactor::{Reactor, Timer};

use crate::{Answer, Leaf, Subject, Task, leaf};

/// What this stage has to test.
pub const SUBJECTS: &[Subject] = &[ON_A_THREAD_EACH, ON_ONE_THREAD];

/// A timer on the reactor that starts a thread for each.
pub const ON_A_THREAD_EACH: Subject = Subject::leaf("step06-timer-threads", &On(|| &THREADS));

/// A timer on the reactor with one thread.
pub const ON_ONE_THREAD: Subject = Subject::leaf("step06-timer", &On(|| &ONE));

static THREADS: LazyLock<Arc<Reactor>> = LazyLock::new(Reactor::with_thread_per_timer);
static ONE: LazyLock<Arc<Reactor>> = LazyLock::new(Reactor::new);

struct On(fn() -> &'static Reactor);

impl Leaf for On {
    fn timer(&self, after: Duration) -> Answer<Task> {
        Ok(leaf(Timer::new((self.0)(), after)))
    }
}

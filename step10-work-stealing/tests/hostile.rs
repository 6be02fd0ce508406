//! What panics and belongs to others ends no worker.

use std::{future::Future, time::Duration};

use properties::ends::{self, Bad};
use step10_work_stealing::{JoinError, JoinHandle, Parker, Runtime, Version};

struct Subject(Runtime);

impl ends::Runtime for Subject {
    type Error = JoinError;
    type Handle = JoinHandle<Bad>;

    const ABORT: Option<fn(&Self::Handle)> = Some(JoinHandle::abort);

    fn start() -> Subject {
        Subject(Runtime::with_park(1, Version::default(), Parker::default()))
    }

    fn is_panic(error: &JoinError) -> bool {
        error.is_panic()
    }

    fn spawn(&self, future: impl Future<Output = Bad> + Send + 'static) -> Self::Handle {
        self.0.spawn(future)
    }
}

#[test]
fn whatever_panics_the_only_worker_runs_the_next_task() {
    ends::check_all::<Subject>(Duration::from_secs(20));
}

//! What panics and belongs to others ends no worker.

use std::{future::Future, time::Duration};

use step10_work_stealing::{JoinError, JoinHandle, Parker, Version};
use table::{Bad, Runtime};

#[path = "../../step08-join-handle/tests/hostile/table.rs"]
mod table;

impl Runtime for step10_work_stealing::Runtime {
    type Handle = JoinHandle<Bad>;

    const ABORT: Option<fn(&Self::Handle)> = Some(JoinHandle::abort);

    fn start() -> Self {
        Self::with_park(1, Version::default(), Parker::default())
    }

    fn spawn(&self, future: impl Future<Output = Bad> + Send + 'static) -> Self::Handle {
        self.spawn(future)
    }
}

#[test]
fn whatever_panics_the_only_worker_runs_the_next_task() {
    table::check_all::<step10_work_stealing::Runtime>(Duration::from_secs(20));
}

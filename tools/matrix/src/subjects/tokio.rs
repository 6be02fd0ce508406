//! tokio: both schedulers, and its `sleep`.

use std::{sync::LazyLock, time::Duration};

use contract::{Answer, BoxFuture, End, Job, Leaf, Make, Runtime, Spawn, Subject, leaf, message};
use futures::future::join_all;
use tokio::runtime::{Builder, Runtime as Tokio};

/// What this crate has to test.
pub(super) const SUBJECTS: &[Subject] = &[
    Subject::runtime("tokio-current", &Flavour { threads: 0 }),
    Subject::runtime("tokio-multi", &Flavour { threads: 2 }),
    Subject::leaf("tokio-sleep", &Sleep),
];

struct Flavour {
    /// 0: the thread that calls `block_on`, and no other.
    threads: usize,
}

impl Flavour {
    fn build(&self) -> Tokio {
        let mut builder = match self.threads {
            0 => Builder::new_current_thread(),
            _ => Builder::new_multi_thread(),
        };
        let tokio = builder.worker_threads(self.workers()).build();
        tokio.expect("its threads can be started")
    }
}

impl Runtime for Flavour {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let tokio = self.build();
        let handles: Vec<_> = tasks.into_iter().map(|task| tokio.spawn(task)).collect();
        tokio.block_on(join_all(handles));
        Ok(())
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        self.build().block_on(task);
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let tokio = self.build();
        let first = tokio.spawn(first(spawner(&tokio)));
        // That the first one panicked is seen by its effects.
        let _ = tokio.block_on(first);
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let tokio = self.build();
        let handle = tokio.spawn(job);
        before.into_iter().for_each(|before| tokio.block_on(before));
        let joined = tokio.block_on(handle);
        Ok(joined.map_err(|error| match error.try_into_panic() {
            Ok(payload) => message(&*payload),
            Err(error) => error.to_string(),
        }))
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        let tokio = self.build();
        for task in make(spawner(&tokio)) {
            tokio.spawn(task);
        }
        Ok(())
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let tokio = self.build();
        for task in make(spawner(&tokio)) {
            tokio.spawn(task);
        }
        tokio.block_on(until);
        Ok(())
    }

    fn workers(&self) -> usize {
        self.threads.max(1)
    }
}

/// A handle, which outlives its runtime.
fn spawner(tokio: &Tokio) -> Spawn {
    let handle = tokio.handle().clone();
    Box::new(move |task| {
        handle.spawn(task);
        Ok(())
    })
}

/// The runtime whose driver wakes the sleepers.
static DRIVER: LazyLock<Tokio> = LazyLock::new(driver);

fn driver() -> Tokio {
    let mut builder = Builder::new_multi_thread();
    let tokio = builder.worker_threads(1).enable_time().build();
    tokio.expect("its thread can be started")
}

fn sleep_on(tokio: &Tokio, after: Duration) -> BoxFuture {
    let _entered = tokio.enter();
    leaf(tokio::time::sleep(after))
}

struct Sleep;

impl Leaf for Sleep {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        Ok(sleep_on(&DRIVER, after))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        let tokio = driver();
        let timers = (0..count).map(|_| sleep_on(&tokio, after)).collect();
        Ok((timers, Box::new(|| drop(tokio))))
    }
}

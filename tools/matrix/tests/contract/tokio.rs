//! tokio: both schedulers, and its `sleep`.

use std::{sync::LazyLock, time::Duration};

use ::futures::future::join_all;
use ::tokio::runtime::{Builder, Runtime as Tokio};
use contract::{
    Answer, BoxFuture, End, Job, Leaf, Make, Runtime, Spawn, SpawnAbortable, Subject, leaf,
    message, suite::Promise,
};

/// What this crate has to test.
pub fn promises() -> [Promise; 3] {
    [
        Promise::all(Subject::runtime("tokio-current", &Flavour { threads: 0 })),
        Promise::all(Subject::runtime("tokio-multi", &Flavour { threads: 2 })).not_yet(
            "What a worker spawns goes into its LIFO slot, and other workers cannot steal from that slot. If the task then blocks, the spawned task waits in the slot. tokio 1.51.0 let workers steal from it (#7431); 1.51.2 and 1.52.2 took that back (#8100), because a worker that put a task into its empty slot now woke a parked worker to steal it (#8065). #8120 would bring it back, with that wake-up as an option. `block_in_place` hands the slot over first, and `disable_lifo_slot` is an unstable option. Blocking in a poll is a mistake of the task, but here it is a hang rather than a delay.",
            &["spawned_and_waited_for"],
        ),
        Promise::all(Subject::leaf("tokio-sleep", &Sleep)).not_yet(
            "In tokio 1.54 a worker of the multi-threaded runtime waits for the timers and calls their wakers, and it catches no panic there. In a debug build the process ends (`AbortOnPanic` in scheduler/multi_thread/worker.rs). In a release build that worker ends, and with a single worker no timer fires any more. The wakers of tokio's own tasks do not panic.",
            &["hostile_panic"],
        ),
    ]
}

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

    fn build_with(&self, make: Make) -> Tokio {
        let tokio = self.build();
        let spawn = |task| drop(tokio.spawn(task));
        make(spawner(&tokio)).into_iter().for_each(spawn);
        tokio
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

    fn run_aborting(&self, first: Box<dyn FnOnce(SpawnAbortable) -> BoxFuture + Send>) -> Answer {
        let tokio = self.build();
        let handle = tokio.handle().clone();
        let first = tokio.spawn(first(Box::new(move |task| {
            let task = handle.spawn(task).abort_handle();
            Box::new(move || task.abort())
        })));
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
        drop(self.build_with(make));
        Ok(())
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        self.build_with(make).block_on(until);
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
    leaf(::tokio::time::sleep(after))
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

//! Puts the three versions of the runtime under the contract.

use std::{any::Any, sync::Arc};

use contract::{Answer, BoxFuture, Job, Make, Runtime, Spawn, Subject, message};
use futures::{
    executor::block_on,
    future::{FutureExt, join_all},
};
use step08_join_handle::{JoinError, v1_oneshot, v2_state_bits, v3_async_task};

/// What is tested.
pub const SUBJECTS: [Subject; 3] = [ONESHOT, STATE_BITS, ASYNC_TASK];

/// Version 1: a worker waits for the lock of a task that another worker polls.
const ONESHOT: Subject = Subject::runtime(
    "step08-oneshot",
    &Stage {
        workers: 2,
        start: |workers| {
            let runtime = v1_oneshot::Runtime::new(workers);
            let handle = runtime.handle();
            let spawn = move |job| handle.spawn(job).boxed();
            (Box::new(runtime), Arc::new(spawn))
        },
        block_on: None,
    },
);

/// Version 2: the state of a task says who may poll it.
const STATE_BITS: Subject = Subject::runtime("step08", &state_bits(2));

/// Version 3: the tasks of async-task.
const ASYNC_TASK: Subject = Subject::runtime(
    "step08-async-task",
    &Stage {
        workers: 2,
        start: |workers| {
            let runtime = v3_async_task::Runtime::new(workers);
            let handle = runtime.handle();
            let spawn = move |job| handle.spawn(job).boxed();
            (Box::new(runtime), Arc::new(spawn))
        },
        block_on: None,
    },
);

/// Version 2 with this number of workers.
pub const fn state_bits(workers: usize) -> Stage {
    Stage {
        workers,
        start: |workers| {
            let runtime = v2_state_bits::Runtime::new(workers);
            let handle = runtime.handle();
            let spawn = move |job| handle.spawn(job).boxed();
            (Box::new(runtime), Arc::new(spawn))
        },
        block_on: Some(|workers, task| v2_state_bits::Runtime::new(workers).block_on(task)),
    }
}

pub struct Stage {
    workers: usize,
    start: fn(usize) -> (Box<dyn Any>, SpawnJob),
    /// What runs a future on the calling thread, if the version has such a thing.
    block_on: Option<fn(usize, BoxFuture)>,
}

/// Spawns on a runtime, and returns the join handle.
type SpawnJob = Arc<dyn Fn(Job) -> futures::future::BoxFuture<'static, Joined> + Send + Sync>;

type Joined = Result<u32, JoinError>;

impl Stage {
    /// A runtime, and two ways to spawn on it: with a handle and without.
    fn start(&self) -> (Box<dyn Any>, SpawnJob, Spawn) {
        let (runtime, spawn) = (self.start)(self.workers);
        let with_handle = Arc::clone(&spawn);
        let detached: Spawn = Box::new(move |task| {
            drop(spawn(as_job(task)));
            Ok(())
        });
        (runtime, with_handle, detached)
    }
}

fn as_job(task: BoxFuture) -> Job {
    task.map(|()| 0).boxed()
}

impl Runtime for Stage {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let (_runtime, spawn, _) = self.start();
        let handles: Vec<_> = tasks.into_iter().map(|it| spawn(as_job(it))).collect();
        contract::discard(block_on(join_all(handles)));
        Ok(())
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        let Some(block_on) = self.block_on else {
            return self.run(vec![task]);
        };
        block_on(self.workers, task);
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let (_runtime, spawn, detached) = self.start();
        // That the first one panicked is seen by its effects.
        let _ = block_on(spawn(as_job(first(detached))));
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let (_runtime, spawn, _) = self.start();
        let handle = spawn(job);
        before.into_iter().for_each(block_on);
        Ok(block_on(handle).map_err(|error| {
            if error.is_panic() {
                message(&*error.into_panic())
            } else {
                error.to_string()
            }
        }))
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        self.stop(make, Box::pin(async {}))
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let (_runtime, spawn, detached) = self.start();
        for task in make(detached) {
            drop(spawn(as_job(task)));
        }
        block_on(until);
        Ok(())
    }

    fn workers(&self) -> usize {
        self.workers
    }
}

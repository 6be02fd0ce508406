//! Makes the three versions of the runtime testable by `lab/contract`.

use contract::{Answer, BoxFuture, Job, Make, Runtime, Spawn, Subject, message};
use futures::{executor::block_on, future::join_all};
use step08_join_handle::{JoinError, v1_oneshot, v2_state_bits, v3_async_task};

/// The types of this stage that the contract is about.
pub const SUBJECTS: [Subject; 4] = [ONESHOT, STATE_BITS, FOUR_WORKERS, ASYNC_TASK];

/// Version 1: a worker waits for the lock of a task that another worker polls.
const ONESHOT: Subject = Subject::runtime("step08-oneshot", &Oneshot);

/// Version 2: the state of a task says who may poll it.
const STATE_BITS: Subject = Subject::runtime("step08", &StateBits { workers: 2 });

/// The same with more workers than this machine may have cores.
const FOUR_WORKERS: Subject = Subject::runtime("step08-four-workers", &StateBits { workers: 4 });

/// Version 3: the tasks of async-task.
const ASYNC_TASK: Subject = Subject::runtime("step08-async-task", &AsyncTask);

struct Oneshot;
struct StateBits {
    workers: usize,
}
struct AsyncTask;

fn joined(result: Result<u32, JoinError>) -> Result<u32, String> {
    result.map_err(|error| match error.is_panic() {
        true => message(&*error.into_panic()),
        false => error.to_string(),
    })
}

/// Two methods that differ only in the type of the runtime.
macro_rules! runtime {
    ($subject:ty, $new:expr, $workers:expr, $block_on:expr) => {
        impl Runtime for $subject {
            fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
                let runtime = $new(self);
                let handles: Vec<_> = tasks.into_iter().map(|it| runtime.spawn(it)).collect();
                block_on(join_all(handles));
                Ok(())
            }

            fn block_on(&self, task: BoxFuture) -> Answer {
                $block_on(self, task)
            }

            fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
                let runtime = $new(self);
                let handle = runtime.handle();
                let first = first(Box::new(move |task| {
                    handle.spawn(task);
                    Ok(())
                }));
                // That the first one panicked is seen by its effects.
                let _ = block_on(runtime.spawn(first));
                Ok(())
            }

            fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
                let runtime = $new(self);
                let handle = runtime.spawn(job);
                before.into_iter().for_each(block_on);
                Ok(joined(block_on(handle)))
            }

            fn drop_unrun(&self, make: Make) -> Answer {
                self.stop(make, Box::pin(async {}))
            }

            fn stop(&self, make: Make, until: BoxFuture) -> Answer {
                let runtime = $new(self);
                let handle = runtime.handle();
                let tasks = make(Box::new(move |task| {
                    handle.spawn(task);
                    Ok(())
                }));
                for task in tasks {
                    runtime.spawn(task);
                }
                block_on(until);
                Ok(())
            }

            fn workers(&self) -> usize {
                $workers(self)
            }
        }
    };
}

runtime!(
    Oneshot,
    |_: &Oneshot| v1_oneshot::Runtime::new(2),
    |_: &Oneshot| 2,
    |subject: &Oneshot, task| subject.run(vec![task])
);
runtime!(
    StateBits,
    |it: &StateBits| v2_state_bits::Runtime::new(it.workers),
    |it: &StateBits| it.workers,
    |it: &StateBits, task| {
        v2_state_bits::Runtime::new(it.workers).block_on(task);
        Ok(())
    }
);
runtime!(
    AsyncTask,
    |_: &AsyncTask| v3_async_task::Runtime::new(2),
    |_: &AsyncTask| 2,
    |subject: &AsyncTask, task| subject.run(vec![task])
);

//! Stage 04: an executor on a channel, in three versions. The third has two kinds of waker.
//!
//! `run` takes the executor away, so it cannot be stopped while a task waits.

use std::sync::Arc;

use step04_channel_executor::{
    executor, executor_on_std_wake, v1_looks_every_10_ms, v2_sends_again,
};

use crate::{Answer, Make, Runtime, Spawn, Subject, Task};

/// What this stage has to test.
pub const SUBJECTS: &[Subject] = &[LOOKS, SENDS, ON_ARC_WAKE, ON_STD_WAKE];

/// It looks every 10 ms.
pub const LOOKS: Subject = Subject::runtime(
    "step04-looks",
    &Stage(|| {
        let (executor, spawner) = v1_looks_every_10_ms::executor();
        let run = || {
            executor.run();
        };
        (Box::new(run), Arc::new(move |task| spawner.spawn(task)))
    }),
);

/// It sends every pending task again.
pub const SENDS: Subject = Subject::runtime(
    "step04-sends",
    &Stage(|| {
        let (executor, spawner) = v2_sends_again::executor();
        let run = || executor.run();
        (Box::new(run), Arc::new(move |task| spawner.spawn(task)))
    }),
);

/// It polls when woken, by futures' `ArcWake`.
pub const ON_ARC_WAKE: Subject = Subject::runtime(
    "step04",
    &Stage(|| {
        let (executor, spawner) = executor();
        let run = || executor.run();
        (Box::new(run), Arc::new(move |task| spawner.spawn(task)))
    }),
);

/// It polls when woken, by the standard library's `Wake`.
pub const ON_STD_WAKE: Subject = Subject::runtime(
    "step04-std-wake",
    &Stage(|| {
        let (executor, spawner) = executor_on_std_wake();
        let run = || executor.run();
        (Box::new(run), Arc::new(move |task| spawner.spawn(task)))
    }),
);

/// `run` and `spawn` of one version. It runs until all tasks are done and `spawn` is gone.
type Parts = (Box<dyn FnOnce()>, Arc<dyn Fn(Task) + Send + Sync>);

struct Stage(fn() -> Parts);

impl Runtime for Stage {
    fn run(&self, tasks: Vec<Task>) -> Answer {
        let (run, spawn) = (self.0)();
        tasks.into_iter().for_each(|task| spawn(task));
        drop(spawn);
        run();
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> Task + Send>) -> Answer {
        let (run, spawn) = (self.0)();
        let inside = spawn.clone();
        spawn(first(Box::new(move |task| {
            inside(task);
            Ok(())
        })));
        drop(spawn);
        run();
        Ok(())
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        let (not_run, spawn) = (self.0)();
        let inside = spawn.clone();
        let tasks = make(Box::new(move |task| {
            inside(task);
            Ok(())
        }));
        tasks.into_iter().for_each(|task| spawn(task));
        drop(not_run);
        Ok(())
    }
}

//! Puts the executors of stage 04 under the contract: four versions.
//!
//! `run` takes the executor away, so it cannot be stopped while a task waits.

use std::sync::Arc;

use contract::{Answer, BoxFuture, Make, Runtime, Spawn, Subject};
use step04_channel_executor::{
    executor, v1_looks_every_10_ms, v2_sends_again, v3_polls_when_woken,
};

/// What is tested. The local executor is in `local.rs`.
pub const SUBJECTS: [Subject; 4] = [LOOKS, SENDS, WOKEN, CLEANS_UP];

/// It checks every 10 ms.
const LOOKS: Subject = Subject::runtime(
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
const SENDS: Subject = Subject::runtime(
    "step04-sends",
    &Stage(|| {
        let (executor, spawner) = v2_sends_again::executor();
        let run = || executor.run();
        (Box::new(run), Arc::new(move |task| spawner.spawn(task)))
    }),
);

/// It polls when woken.
const WOKEN: Subject = Subject::runtime(
    "step04-woken",
    &Stage(|| {
        let (executor, spawner) = v3_polls_when_woken::executor();
        let run = || executor.run();
        (Box::new(run), Arc::new(move |task| spawner.spawn(task)))
    }),
);

/// It cleans up.
const CLEANS_UP: Subject = Subject::runtime(
    "step04",
    &Stage(|| {
        let (executor, spawner) = executor();
        let run = || executor.run();
        (Box::new(run), Arc::new(move |task| spawner.spawn(task)))
    }),
);

/// `run` and `spawn` of one version. It runs until all tasks are done and `spawn` is gone.
type Parts = (Box<dyn FnOnce()>, Arc<dyn Fn(BoxFuture) + Send + Sync>);

struct Stage(fn() -> Parts);

impl Runtime for Stage {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let (run, spawn) = (self.0)();
        tasks.into_iter().for_each(|task| spawn(task));
        drop(spawn);
        run();
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
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

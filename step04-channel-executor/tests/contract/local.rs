//! Puts the local executor under the contract.
//!
//! Its spawner stays on its thread, while the contract's tasks are `Send` and so cannot own it. They find it in a
//! thread-local variable. Another thread finds none there, because spawning from another thread is not its job.

use std::cell::RefCell;

use contract::{Answer, BoxFuture, Make, Runtime, Spawn, Subject, Unsupported};
use step04_channel_executor::local::{self, Spawner};

pub const LOCAL: Subject = Subject::runtime("step04-local", &Local);

thread_local! {
    static SPAWNER: RefCell<Option<Spawner>> = const { RefCell::new(None) };
}

struct Local;

/// Spawns on the executor of the calling thread.
fn spawn() -> Spawn {
    Box::new(|task| {
        let spawner = SPAWNER.try_with(|it| it.borrow().clone()).ok().flatten();
        spawner
            .ok_or(Unsupported)
            .map(|spawner| spawner.spawn(task))
    })
}

impl Runtime for Local {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let (executor, spawner) = local::executor();
        tasks.into_iter().for_each(|task| spawner.spawn(task));
        drop(spawner);
        executor.run();
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let (executor, spawner) = local::executor();
        SPAWNER.set(Some(spawner.clone()));
        spawner.spawn(first(spawn()));
        executor.run();
        Ok(())
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        let (executor, spawner) = local::executor();
        SPAWNER.set(Some(spawner.clone()));
        let tasks = make(spawn());
        tasks.into_iter().for_each(|task| spawner.spawn(task));
        drop(executor);
        Ok(())
    }
}

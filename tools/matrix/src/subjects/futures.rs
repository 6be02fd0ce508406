//! futures: `LocalPool` on one thread, `ThreadPool` on two, and `block_on`.

use std::{cell::RefCell, panic::AssertUnwindSafe};

use contract::{
    Answer, BlockOn, BoxFuture, Job, Make, NotItsJob, Runtime, Spawn, Subject, cannot_spawn, caught,
};
use futures::{
    executor::{LocalPool, LocalSpawner, ThreadPool, block_on},
    future::join_all,
    task::{LocalSpawnExt, SpawnExt},
};

/// What this crate has to test.
pub(super) const SUBJECTS: &[Subject] = &[
    Subject::runtime("local-pool", &Local),
    Subject::runtime("thread-pool", &Threads),
    Subject::runtime(
        "futures-block-on",
        &BlockOn {
            task: block_on,
            job: block_on,
        },
    ),
];

const OPEN: &str = "the pool is there";

struct Local;

thread_local! {
    /// A spawner for the pool that runs here. It may not go to another thread, as a task may.
    static SPAWNER: RefCell<Option<LocalSpawner>> = const { RefCell::new(None) };
}

impl Runtime for Local {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let mut pool = LocalPool::new();
        for task in tasks {
            pool.spawner().spawn_local(task).expect(OPEN);
        }
        pool.run();
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let mut pool = LocalPool::new();
        pool.run_until(first(spawner(&pool)));
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let mut pool = LocalPool::new();
        let handle = pool.spawner().spawn_local_with_handle(job).expect(OPEN);
        let joined = async {
            if let Some(before) = before {
                before.await;
            }
            handle.await
        };
        Ok(caught(AssertUnwindSafe(|| pool.run_until(joined))))
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        let pool = LocalPool::new();
        for task in make(spawner(&pool)) {
            pool.spawner().spawn_local(task).expect(OPEN);
        }
        Ok(())
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let mut pool = LocalPool::new();
        for task in make(spawner(&pool)) {
            pool.spawner().spawn_local(task).expect(OPEN);
        }
        pool.run_until(until);
        Ok(())
    }
}

fn spawner(pool: &LocalPool) -> Spawn {
    SPAWNER.set(Some(pool.spawner()));
    Box::new(|task| {
        SPAWNER.with_borrow(|spawner| {
            let spawner = spawner.as_ref().ok_or(NotItsJob)?;
            // An error says that the pool is gone.
            let _ = spawner.spawn_local(task);
            Ok(())
        })
    })
}

struct Threads;

impl Threads {
    fn pool(&self) -> ThreadPool {
        let pool = ThreadPool::builder().pool_size(self.workers()).create();
        pool.expect("two threads can be started")
    }
}

impl Runtime for Threads {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let pool = self.pool();
        // `spawn_ok`, whose panics are not caught; a channel tells when a task is gone.
        let gone: Vec<_> = tasks
            .into_iter()
            .map(|task| {
                let (here, gone) = futures::channel::oneshot::channel::<()>();
                pool.spawn_ok(async move {
                    let _here = here;
                    task.await;
                });
                gone
            })
            .collect();
        block_on(join_all(gone));
        Ok(())
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        block_on(task);
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let pool = self.pool();
        let inside = pool.clone();
        let first = first(Box::new(move |task| {
            inside.spawn_ok(task);
            Ok(())
        }));
        block_on(pool.spawn_with_handle(first).expect(OPEN));
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let handle = self.pool().spawn_with_handle(job).expect(OPEN);
        before.into_iter().for_each(block_on);
        Ok(caught(AssertUnwindSafe(|| block_on(handle))))
    }

    // What spawns is the pool, or a clone of it, and keeps it open.
    fn drop_unrun(&self, make: Make) -> Answer {
        let pool = self.pool();
        let tasks = make(cannot_spawn()).into_iter();
        tasks.for_each(|task| pool.spawn_ok(task));
        Ok(())
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let pool = self.pool();
        let tasks = make(cannot_spawn()).into_iter();
        tasks.for_each(|task| pool.spawn_ok(task));
        block_on(pool.spawn_with_handle(until).expect(OPEN));
        Ok(())
    }

    fn workers(&self) -> usize {
        2
    }
}

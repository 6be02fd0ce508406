//! futures: `LocalPool` on one thread, `ThreadPool` on two, and `block_on`.

use std::{cell::RefCell, panic::AssertUnwindSafe};

use ::futures::{
    executor::{LocalPool, LocalSpawner, ThreadPool, block_on},
    future::join_all,
    stream::{FuturesUnordered, StreamExt},
    task::{LocalSpawnExt, SpawnExt},
};
use contract::{
    Answer, BoxFuture, Job, Make, Preset, Runtime, Spawn, Subject, cannot_spawn, caught,
    suite::Promise,
};

const FUTURES_BLOCK_ON: Preset = Preset::block_on(block_on);

/// What this crate has to test.
pub fn promises() -> [Promise; 5] {
    [
        Promise::all(Subject::runtime("local-pool", &LOCAL)),
        Promise::all(Subject::runtime("thread-pool", &Threads))
            .not_yet(
                "A task that was woken during its own poll is polled again at once, by the same worker, before anything else in the queue (`Task::run` in futures-executor's thread_pool.rs). With as many such tasks as there are workers, no other task is polled.",
                &["takes_turns", "spawned_under_load", "woken_under_load"],
            )
            .not_yet(
                "`spawn_ok` catches no panic, so a panic ends the worker's thread, and the pool does not start another. After two panics, a pool of two has no worker left. `spawn_with_handle` catches the panic.",
                &["a_panic_is_contained"],
            )
            .not_yet(
                "A pending task lies inside its own wake handle, and holds a reference to that handle and to the pool, which is a cycle. If no wake comes any more, the task is never dropped, whether or not a waker still exists, and the pool's threads do not end either. `spawn_with_handle` helps: dropping the handle wakes the task, and then it is dropped.",
                &[
                    "dropped_unrun",
                    "dropped_at_shutdown",
                    "dropped_by_its_executor",
                    "acts_at_shutdown",
                    "woken_while_it_is_dropped",
                    "panics_at_any_moment",
                ],
            ),
        Promise::all(Subject::runtime("futures-block-on", &FUTURES_BLOCK_ON)),
        Promise::all(Subject::runtime("join-all", &JOIN_ALL))
            .not_in_the_matrix()
            .not_yet(
                "Up to 30 futures share the waker of their parent, so each wake polls all of them.",
                &["only_who_is_woken"],
            )
            .not_yet(OWNS, &["dropped_by_its_executor"]),
        Promise::all(Subject::runtime("futures-unordered", &UNORDERED))
            .not_in_the_matrix()
            .not_yet(OWNS, &["dropped_by_its_executor"]),
    ]
}

const OPEN: &str = "the pool is there";

const LOCAL: Preset = Preset::local(
    |root| {
        let mut pool = LocalPool::new();
        SPAWNER.set(Some(pool.spawner()));
        pool.run_until(root);
    },
    |task| here(|spawner| spawner.spawn_local(task)).expect(OPEN),
)
.joining(|job| Box::pin(here(|spawner| spawner.spawn_local_with_handle(job)).expect(OPEN)))
.letting_panics_through();

thread_local! {
    static SPAWNER: RefCell<Option<LocalSpawner>> = const { RefCell::new(None) };
}

fn here<T>(spawn: impl FnOnce(&LocalSpawner) -> T) -> T {
    SPAWNER.with_borrow(|spawner| spawn(spawner.as_ref().expect(OPEN)))
}

const OWNS: &str = "It owns its children, and is pending until all of them are done.";

const JOIN_ALL: Combinator = Combinator(|tasks| block_on(join_all(tasks)).clear());
const UNORDERED: Combinator = Combinator(|tasks| {
    let children: FuturesUnordered<_> = tasks.into_iter().collect();
    block_on(children.for_each(|()| async {}));
});

/// A combinator polls its children, so it is an executor to them.
struct Combinator(fn(Vec<BoxFuture>));

impl Runtime for Combinator {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        (self.0)(tasks);
        Ok(())
    }

    fn lets_panics_through(&self) -> bool {
        true
    }
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

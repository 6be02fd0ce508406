//! Which clauses of the contract the runtimes of other people keep, which they do not keep, and why.

use std::{cell::RefCell, panic::resume_unwind, process::ExitCode, sync::Mutex, time::Duration};

use async_executor::Executor;
use contract::{
    Abort, Answer, BoxFuture, End, Leaf, LocalJob, Preset, Subject, leaf,
    suite::{self, Promise},
};
use futures::{
    executor::{LocalPool, LocalSpawner, ThreadPool, block_on},
    task::{LocalSpawnExt, SpawnExt},
};
use tokio::runtime::{Builder, Handle, Runtime};

contract::count_allocations!();

fn main() -> ExitCode {
    let runtime = |name, runtime| Promise::all(Subject::runtime(name, runtime));
    suite::main(&[
        Promise::all(Subject::executor("local-pool", local_pool())),
        runtime("thread-pool", &THREAD_POOL)
            .not_yet(
                "A task that was woken during its own poll is polled again at once, by the same worker, before anything else in the queue (`Task::run` in futures-executor's thread_pool.rs). With as many such tasks as there are workers, no other task is polled.",
                &["takes_turns", "spawned_under_load", "woken_under_load"],
            )
            .not_yet(
                "`spawn_ok` catches no panic, so a panic ends the worker's thread, and the pool does not start another. After two panics, a pool of two has no worker left. `spawn_with_handle` catches the panic.",
                &["a_panic_is_contained", "a_panicking_payload"],
            )
            .not_yet(
                "The future of `spawn_with_handle` sends its output from inside, in its last poll (`Remote` in futures-util), and is dropped after that.",
                &["gone_before_its_handle"],
            )
            .not_yet(
                "A pending task lies inside its own wake handle, and holds a reference to that handle and to the pool, which is a cycle. If no wake comes any more, the task is never dropped, whether or not a waker still exists, and the pool's threads do not end either. `spawn_with_handle` helps: dropping the handle wakes the task, and then it is dropped.",
                &[
                    "dropped_unrun",
                    "dropped_at_shutdown",
                    "dropped_by_its_executor",
                    "acts_at_shutdown",
                    "woken_while_it_is_dropped",
                    "spawned_while_it_is_dropped",
                    "panics_at_any_moment",
                ],
            ),
        runtime("futures-block-on", &const { Preset::block_on(block_on) }),
        runtime("pollster", &const { Preset::block_on(pollster::block_on) }).not_yet(
            "pollster 1.0.1 calls `thread::park` after each pending poll, and its waker is nothing but `Thread::unpark`. Code that parks inside the poll (an inner `block_on`, or a `recv` that has to wait) takes the token of a wake that has already come. Version 0.4 kept a flag of its own.",
            &["nested", "parks_in_poll", "waits_in_poll"],
        ),
        // With one thread, it would have none left while one is blocked.
        runtime("smol", &SMOL).env("SMOL_THREADS", "2").not_yet(ABORTS, DESTRUCTOR).not_yet(ABORTS, PAYLOAD).not_yet(
            "smol's executor is a `static` that is never dropped, and it keeps a waker of each task in a list (`active` in async-executor 1.14.1), so none of its tasks loses its last waker.",
            &["dropped_by_its_executor"],
        ),
        Promise::all(Subject::executor("async-executor", async_executor()))
            .not_yet(ABORTS, DESTRUCTOR)
            .not_yet(ABORTS, PAYLOAD),
        Promise::all(Subject::leaf("async-io-timer", &AsyncIo))
            .not_yet(
                "The timer of async-io is a stream too. Once it was ready, a timer without a period is a stream that never fires again, so a further poll waits forever. The trait `Future` allows that.",
                &["polled_after_ready"],
            )
            .not_yet(
                "async-io 2.6 catches the panic of a wake (`react` in reactor.rs), but not the panic of a drop. Earlier wakers and those of dropped timers are dropped under the lock of all timers (`process_timer_ops`): on the reactor's own thread, or, while the queue of operations is full, on the thread that starts or drops a timer. The panic ends the reactor's thread, and no timer fires any more.",
                &["hostile_panic"],
            ),
        runtime("tokio-current", &TOKIO_CURRENT),
        runtime("tokio-multi", &TOKIO_MULTI).not_yet(
            "What a worker spawns goes into its LIFO slot, and other workers cannot steal from that slot. If the task then blocks, the spawned task waits in the slot. tokio 1.51.0 let workers steal from it (#7431); 1.51.2 and 1.52.2 took that back (#8100), because a worker that put a task into its empty slot now woke a parked worker to steal it (#8065). #8120 would bring it back, with that wake-up as an option. `block_in_place` hands the slot over first, and `disable_lifo_slot` is an unstable option. Blocking in a poll is a mistake of the task, but here it is a hang rather than a delay.",
            &["spawned_and_waited_for"],
        ),
        Promise::all(Subject::leaf("tokio-sleep", &TokioSleep)).not_yet(
            "In tokio 1.54 a worker of the multi-threaded runtime waits for the timers and calls their wakers, and it catches no panic there. In a debug build the process ends (`AbortOnPanic` in scheduler/multi_thread/worker.rs). In a release build that worker ends, and with a single worker no timer fires any more. The wakers of tokio's own tasks do not panic.",
            &["hostile_panic"],
        ),
    ])
}

const ABORTS: &str = "async-task 4.7.1 ends the process on purpose when the destructor of a future panics (`abort_on_panic` in raw.rs). Its comment gives the reason: unsafe code that cannot recover from a panic.";
const PAYLOAD: &[&str] = &["a_panicking_payload"];
const DESTRUCTOR: &[&str] = &["a_panicking_destructor", "panics_at_any_moment"];
const RUNS: &str = "the executor runs";

struct Pool(RefCell<LocalPool>, LocalSpawner);

fn local_pool() -> Preset {
    let make = || {
        let pool = LocalPool::new();
        let spawner = pool.spawner();
        Pool(RefCell::new(pool), spawner)
    };
    let join = |job| -> LocalJob {
        let handle = Preset::here(|Pool(_, spawner)| spawner.spawn_local_with_handle(job));
        Box::pin(handle.expect(RUNS))
    };
    Preset::object(
        make,
        |Pool(pool, _), root| pool.borrow_mut().run_until(root),
        |Pool(_, spawner), task| spawner.spawn_local(task).expect(RUNS),
    )
    .joining(join)
    .letting_panics_through()
}

fn async_executor() -> Preset {
    let join = |job| -> LocalJob { Box::pin(Preset::here(|it: &Executor<'_>| it.spawn(job))) };
    Preset::object(
        Executor::new,
        |it, root| futures_lite::future::block_on(it.run(root)),
        |it, task| it.spawn(task).detach(),
    )
    .joining(join)
}

/// `smol::spawn`: an executor that all of the process share, and that is never dropped.
const SMOL: Preset = Preset::global(smol::block_on, |task| smol::spawn(task).detach(), 2)
    .joining(|job| Box::pin(smol::spawn(job)));

/// The runtime that was started last. There is one in each process.
static POOL: Mutex<Option<ThreadPool>> = Mutex::new(None);
static TOKIO: Mutex<Option<Handle>> = Mutex::new(None);

fn last<T: Clone>(place: &Mutex<Option<T>>) -> Option<T> {
    place
        .lock()
        .expect("no code panics while it holds this lock")
        .clone()
}

const THREAD_POOL: Preset = Preset::local(
    |root| {
        let pool = ThreadPool::builder().pool_size(2).create();
        *POOL.lock().expect(RUNS) = Some(pool.expect("its threads can be started"));
        block_on(root);
        let pool = POOL.lock().expect(RUNS).take();
        drop(pool); // while the lock is free
    },
    // With `spawn_ok`, whose panics are not caught.
    |task| {
        if let Some(pool) = last(&POOL) {
            pool.spawn_ok(task);
        }
    },
)
.joining(|job| Box::pin(last(&POOL).expect(RUNS).spawn_with_handle(job).expect(RUNS)))
.on_workers(2);

/// tokio on the thread that calls.
const TOKIO_CURRENT: Preset = Preset::local(
    |root| on_tokio(Builder::new_current_thread(), root),
    spawn_on_tokio,
)
.joining(join_on_tokio)
.aborting(abort_on_tokio)
.on_workers(1);

const TOKIO_MULTI: Preset = Preset::local(
    |root| on_tokio(Builder::new_multi_thread(), root),
    spawn_on_tokio,
)
.joining(join_on_tokio)
.aborting(abort_on_tokio)
.on_workers(2);

fn on_tokio(mut builder: Builder, root: BoxFuture) {
    let tokio = builder
        .worker_threads(2)
        .build()
        .expect("its threads can be started");
    *TOKIO.lock().expect(RUNS) = Some(tokio.handle().clone());
    tokio.block_on(root);
}

fn spawn_on_tokio(task: BoxFuture) {
    drop(last(&TOKIO).expect(RUNS).spawn(task));
}

fn abort_on_tokio(task: BoxFuture) -> Abort {
    let task = last(&TOKIO).expect(RUNS).spawn(task).abort_handle();
    Box::new(move || task.abort())
}

fn join_on_tokio(job: contract::Job) -> LocalJob {
    let handle = last(&TOKIO).expect(RUNS).spawn(job);
    Box::pin(async {
        handle
            .await
            .unwrap_or_else(|error| resume_unwind(error.into_panic()))
    })
}

struct AsyncIo;

impl Leaf for AsyncIo {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        Ok(leaf(async_io::Timer::after(after)))
    }
}

/// tokio's `sleep`, with a runtime whose driver wakes the sleepers.
struct TokioSleep;

fn driver() -> Runtime {
    let mut builder = Builder::new_multi_thread();
    let tokio = builder.worker_threads(1).enable_time().build();
    tokio.expect("its thread can be started")
}

fn sleep_on(tokio: &Runtime, after: Duration) -> BoxFuture {
    let _entered = tokio.enter();
    leaf(tokio::time::sleep(after))
}

impl Leaf for TokioSleep {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        static DRIVER: std::sync::LazyLock<Runtime> = std::sync::LazyLock::new(driver);
        Ok(sleep_on(&DRIVER, after))
    }

    fn timers_and_end(&self, after: Duration, count: usize) -> Answer<(Vec<BoxFuture>, End)> {
        let tokio = driver();
        let timers = (0..count).map(|_| sleep_on(&tokio, after)).collect();
        Ok((timers, Box::new(|| drop(tokio))))
    }
}

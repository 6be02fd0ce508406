//! smol on its own two threads; async-executor, which it is made of, on one; and the timer of async-io.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use ::futures::future::join_all;
use async_executor::Executor;
use contract::{
    Answer, BoxFuture, Job, Leaf, Make, Runtime, Spawn, Subject, cannot_spawn, caught, leaf,
    suite::Promise,
};
use futures_lite::future::block_on;

const ABORTS: &str = "async-task 4.7.1 ends the process on purpose when the destructor of a future panics (`abort_on_panic` in raw.rs). Its comment gives the reason: unsafe code that cannot recover from a panic.";

/// What these crates have to test.
pub fn promises() -> [Promise; 3] {
    let aborts = |subject| {
        Promise::all(subject).not_yet(ABORTS, &["a_panicking_destructor", "panics_at_any_moment"])
    };
    [
        // With one thread, it would have none left while one is blocked.
        aborts(Subject::runtime("smol", &Global)).env("SMOL_THREADS", "2").not_yet(
            "smol's executor is a `static` that is never dropped, and it keeps a waker of each task in a list (`active` in async-executor 1.14.1), so none of its tasks loses its last waker.",
            &["dropped_by_its_executor"],
        ),
        aborts(Subject::runtime("async-executor", &OneThread)),
        Promise::all(Subject::leaf("async-io-timer", &Timer))
            .not_yet(
                "The timer of async-io is a stream too. Once it was ready, a timer without a period is a stream that never fires again, so a further poll waits forever. The trait `Future` allows that.",
                &["polled_after_ready"],
            )
            .not_yet(
                "async-io 2.6 catches the panic of a wake (`react` in reactor.rs), but not the panic of a drop. Earlier wakers and those of dropped timers are dropped under the lock of all timers (`process_timer_ops`): on the reactor's own thread, or, while the queue of operations is full, on the thread that starts or drops a timer. The panic ends the reactor's thread, and no timer fires any more.",
                &["hostile_panic"],
            ),
    ]
}

/// `smol::spawn`: an executor that all of the process share, and that is never dropped.
struct Global;

impl Runtime for Global {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        ::smol::block_on(join_all(tasks.into_iter().map(::smol::spawn).map(finished)));
        Ok(())
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        ::smol::block_on(task);
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        ::smol::block_on(::smol::spawn(first(Box::new(|task| {
            ::smol::spawn(task).detach();
            Ok(())
        }))));
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let handle = ::smol::spawn(job);
        before.into_iter().for_each(::smol::block_on);
        Ok(caught(AssertUnwindSafe(|| ::smol::block_on(handle))))
    }

    fn workers(&self) -> usize {
        2
    }
}

struct OneThread;

impl Runtime for OneThread {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let executor = Executor::new();
        let mut handles = Vec::new();
        executor.spawn_many(tasks, &mut handles);
        let all = join_all(handles.into_iter().map(finished));
        block_on(executor.run(all));
        Ok(())
    }

    fn block_on(&self, task: BoxFuture) -> Answer {
        block_on(task);
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let executor = Arc::new(Executor::new());
        let inside = Arc::downgrade(&executor);
        let first = executor.spawn(first(Box::new(move |task| {
            if let Some(executor) = inside.upgrade() {
                executor.spawn(task).detach();
            }
            Ok(())
        })));
        block_on(executor.run(first));
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let executor = Executor::new();
        let handle = executor.spawn(job);
        let joined = async {
            if let Some(before) = before {
                before.await;
            }
            handle.await
        };
        let joined = AssertUnwindSafe(|| block_on(executor.run(joined)));
        Ok(caught(joined))
    }

    // An executor has no handle: who spawns on it borrows it.
    fn drop_unrun(&self, make: Make) -> Answer {
        let executor = Executor::new();
        let tasks = make(cannot_spawn()).into_iter();
        tasks.for_each(|task| executor.spawn(task).detach());
        Ok(())
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let executor = Executor::new();
        let tasks = make(cannot_spawn()).into_iter();
        tasks.for_each(|task| executor.spawn(task).detach());
        block_on(executor.run(until));
        Ok(())
    }
}

/// Waits for a task, whatever becomes of it: its panic goes to the code that waits for its output, and here there is none.
async fn finished(task: async_executor::Task<()>) {
    use ::futures::FutureExt;
    let _ = AssertUnwindSafe(task).catch_unwind().await;
}

struct Timer;

impl Leaf for Timer {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        Ok(leaf(async_io::Timer::after(after)))
    }
}

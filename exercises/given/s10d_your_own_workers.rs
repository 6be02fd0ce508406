//! What is given in s10d: a task, the runtime as the contract's clauses call it, and the figures.

/// The tests have their own, which act between the last look and the sleep.
#[cfg(test)]
pub(crate) use super::tests::locks::{Condvar, Mutex};
use super::{Handle, Runtime, Shared, WORKERS};
#[cfg(not(test))]
pub(crate) use std::sync::{Condvar, Mutex};

use contract::{Answer, BoxFuture, Job, Make, Spawn};
use futures::{FutureExt, executor::block_on};
use std::{
    any::Any,
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
    time::{Duration, Instant},
};

/// A task, and the flag of chapter 04. Chapter 08 has a faster one.
pub(crate) struct Task {
    /// `None` once it is finished.
    pub(crate) future: Mutex<Option<BoxFuture>>,
    /// Whether the task is in a queue. However often it is woken, it is there once.
    pub(crate) queued: AtomicBool,
    pub(crate) shared: Arc<Shared>,
}

impl Task {
    pub(crate) fn run(self: Arc<Self>) {
        // Before the poll, so that a wake during the poll leads to another one.
        self.queued.swap(false, SeqCst);
        let waker = Waker::from(Arc::clone(&self));
        let mut slot = self.future.lock().unwrap();
        let Some(future) = slot.as_mut() else { return };
        let mut cx = Context::from_waker(&waker);
        // A destructor may panic, in the poll or when the task is finished. The worker has other tasks.
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut cx)));
        if !matches!(polled, Ok(Poll::Pending)) {
            let finished = slot.take();
            let _ = catch_unwind(AssertUnwindSafe(|| drop(finished)));
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if !self.queued.swap(true, SeqCst) {
            let shared = Arc::clone(&self.shared);
            shared.push(self);
        }
    }
}

/// What the clauses are run on. Each call makes a runtime of its own.
pub(crate) struct Mine;

fn spawner(runtime: &Runtime) -> Spawn {
    let handle = runtime.handle.clone();
    Box::new(move |task| {
        drop(handle.spawn(task));
        Ok(())
    })
}

impl contract::Runtime for Mine {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        let runtime = Runtime::new();
        let spawn = |task| runtime.handle.spawn(task);
        let handles: Vec<_> = tasks.into_iter().map(spawn).collect();
        for handle in handles {
            let _ = block_on(handle);
        }
        Ok(())
    }

    fn run_spawning(&self, first: Box<dyn FnOnce(Spawn) -> BoxFuture + Send>) -> Answer {
        let runtime = Runtime::new();
        let first = runtime.handle.spawn(first(spawner(&runtime)));
        let _ = block_on(first);
        Ok(())
    }

    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        let runtime = Runtime::new();
        let handle = runtime.handle.spawn(job);
        before.into_iter().for_each(block_on);
        let message = |panic: Box<dyn Any + Send>| contract::message(&*panic);
        Ok(match block_on(handle) {
            Ok(output) => output.map_err(message),
            Err(error) => Err(error.to_string()),
        })
    }

    fn drop_unrun(&self, make: Make) -> Answer {
        self.stop(make, Box::pin(async {}))
    }

    fn stop(&self, make: Make, until: BoxFuture) -> Answer {
        let runtime = Runtime::new();
        for task in make(spawner(&runtime)) {
            drop(runtime.handle.spawn(task));
        }
        block_on(until);
        Ok(())
    }

    fn workers(&self) -> usize {
        WORKERS
    }
}

trait Spawner: Clone + Send + 'static {
    fn spawns(
        &self,
        future: impl Future<Output = ()> + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static;
}

impl Spawner for Handle {
    fn spawns(
        &self,
        future: impl Future<Output = ()> + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        self.spawn(future).map(drop)
    }
}

impl Spawner for step10_work_stealing::Handle {
    fn spawns(
        &self,
        future: impl Future<Output = ()> + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        self.spawn(future).map(drop)
    }
}

impl Spawner for tokio::runtime::Handle {
    fn spawns(
        &self,
        future: impl Future<Output = ()> + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        self.spawn(future).map(drop)
    }
}

async fn yield_now() {
    let mut has_yielded = false;
    let once = poll_fn(|cx| {
        if std::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    });
    once.await;
}

const WORKLOADS: [&str; 3] = [
    "a task, spawned with 1,000 others and awaited after them",
    "a task, spawned and awaited before the next one",
    "a yield, while 100 tasks yield",
];

const STEPS: u32 = 100_000;

/// How long one step of this workload takes.
fn time(spawner: &impl Spawner, workload: usize) -> Duration {
    let (within, start) = (spawner.clone(), Instant::now());
    let first = async move {
        match workload {
            0 => {
                for _ in 0..STEPS / 1_000 {
                    let tasks: Vec<_> = (0..1_000).map(|_| within.spawns(async {})).collect();
                    for task in tasks {
                        task.await;
                    }
                }
            }
            1 => {
                for _ in 0..STEPS {
                    within.spawns(async {}).await;
                }
            }
            _ => {
                let yields = async || {
                    for _ in 0..STEPS / 100 {
                        yield_now().await;
                    }
                };
                let tasks: Vec<_> = (0..100).map(|_| within.spawns(yields())).collect();
                for task in tasks {
                    task.await;
                }
            }
        }
    };
    block_on(spawner.spawns(first));
    start.elapsed() / STEPS
}

/// Prints how fast it is, beside stage 10 and tokio.
pub(crate) fn measure() {
    if cfg!(debug_assertions) {
        println!("How fast is it? cargo run --release --bin s10d_your_own_workers");
        return;
    }
    let mine = Runtime::new();
    let stage = step10_work_stealing::Runtime::new(WORKERS);
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let tokio = builder.worker_threads(WORKERS).build().expect("threads");
    println!(
        "{:58} {:>8} {:>8} {:>8}",
        "nanoseconds for", "mine", "stage 10", "tokio"
    );
    for (workload, name) in WORKLOADS.iter().enumerate() {
        // One after the other in each round, so that all three have the same machine. The best round counts.
        let mut best = [Duration::MAX; 3];
        for _ in 0..10 {
            let times = [
                time(&mine.handle, workload),
                time(&stage.handle(), workload),
                time(tokio.handle(), workload),
            ];
            best = std::array::from_fn(|n| best[n].min(times[n]));
        }
        let [mine, stage, tokio] = best.map(|it| it.as_nanos());
        println!("{name:58} {mine:>8} {stage:>8} {tokio:>8}");
    }
}

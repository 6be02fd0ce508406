//! A task is woken while a worker polls it, and what the second worker does meanwhile.

use std::{
    future::{Future, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::Poll,
    thread,
    time::{Duration, Instant},
};

use futures::future::BoxFuture;
use step08_join_handle::{Polls, v1_oneshot, v2_state_bits, v3_async_task};

const NEIGHBOURS: usize = 100;

/// Version 1 runs no neighbour before the poll is over, so any limit shows the same.
const SHORT: Duration = Duration::from_millis(20);

/// Versions 2 and 3 run the neighbours at once, but a busy machine may keep the second worker waiting.
const LONG: Duration = Duration::from_secs(10);

/// Shows it on two workers of each version.
pub fn show() {
    println!(
        "3. On two workers, a task is woken in a long poll. How many of {NEIGHBOURS} others run meanwhile?"
    );
    let runtime = v1_oneshot::Runtime::new(2);
    let handle = runtime.handle();
    let spawn = move |task| drop(handle.spawn(task));
    version("version 1, a lock around each task", SHORT, spawn);
    let runtime = v2_state_bits::Runtime::new(2);
    let handle = runtime.handle();
    let spawn = move |task| drop(handle.spawn(task));
    version("version 2, a state word for each task", LONG, spawn);
    let runtime = v3_async_task::Runtime::new(2);
    let handle = runtime.handle();
    let spawn = move |task| drop(handle.spawn(task));
    version("version 3, the tasks of async-task", LONG, spawn);
}

/// Runs the task on the runtime that `spawn` belongs to, and prints what is seen of it.
fn version(
    name: &str,
    limit: Duration,
    spawn: impl Fn(BoxFuture<'static, ()>) + Clone + Send + 'static,
) {
    let (polls, at_once) = (Polls::default(), AtOnce::default());
    let task = polls.count(at_once.count(woken(spawn.clone(), limit)));
    let (report, reported) = mpsc::channel();
    spawn(Box::pin(async move {
        let neighbours = task.await;
        report.send(neighbours).expect("`version` waits for it");
    }));
    let neighbours = reported.recv().expect("the task comes to its end");
    let most = at_once.most();
    println!("   {name}: {neighbours} (polls of the woken task: {polls}, at most {most} at once)");
}

/// Is woken during its first poll. That poll waits until all neighbours have run, or until `limit` is over. Returns how
/// many have run by then.
fn woken(spawn: impl Fn(BoxFuture<'static, ()>), limit: Duration) -> impl Future<Output = usize> {
    let mut neighbours = None;
    poll_fn(move |cx| {
        if let Some(neighbours) = neighbours {
            return Poll::Ready(neighbours);
        }
        cx.waker().wake_by_ref();
        let ran = Arc::new(AtomicUsize::new(0));
        for _ in 0..NEIGHBOURS {
            let ran = Arc::clone(&ran);
            spawn(Box::pin(async move {
                ran.fetch_add(1, Ordering::Relaxed);
            }));
        }
        let end = Instant::now() + limit;
        while ran.load(Ordering::Relaxed) < NEIGHBOURS && Instant::now() < end {
            thread::sleep(Duration::from_millis(1)); // keeps its worker, on purpose
        }
        neighbours = Some(ran.load(Ordering::Relaxed));
        Poll::Pending
    })
}

/// How many threads poll a future now, and how many were most at once. Clones share the counts.
#[derive(Clone, Default)]
struct AtOnce {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl AtOnce {
    fn count<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let counts = self.clone();
        let mut future = Box::pin(future);
        poll_fn(move |cx| {
            let now = counts.now.fetch_add(1, Ordering::Relaxed) + 1;
            counts.most.fetch_max(now, Ordering::Relaxed);
            let answer = future.as_mut().poll(cx);
            counts.now.fetch_sub(1, Ordering::Relaxed);
            answer
        })
    }

    fn most(&self) -> usize {
        self.most.load(Ordering::Relaxed)
    }
}

//! What a runtime does with its tasks and its threads while it lives.

use std::{
    future::{Future, pending},
    pin::Pin,
    sync::{Arc, Barrier, mpsc},
    thread,
    time::{Duration, Instant},
};

use probe::{Counted, within};
use step08_join_handle::{Runtime, spawn};

const LIMIT: Duration = Duration::from_secs(10);
/// For a test of many tasks on a machine with much else to do.
const LONG: Duration = Duration::from_secs(60);

/// Miri takes a thousand times as long, and needs fewer of them to find a mistake.
const fn few_under_miri(count: usize) -> usize {
    if cfg!(miri) { count / 1_000 } else { count }
}

#[test]
#[should_panic(expected = "a runtime needs at least one worker, not 0")]
fn without_a_worker_there_is_no_runtime() {
    Runtime::new(0);
}

/// Tasks that do not leave their poll before all of them are there at once, and what releases them.
fn hold(runtime: &Runtime, workers: usize) -> Arc<Barrier> {
    let release = Arc::new(Barrier::new(workers + 1));
    let (here, comes) = mpsc::channel();
    for _ in 0..workers {
        let (release, here) = (Arc::clone(&release), here.clone());
        runtime.spawn(async move {
            here.send(()).unwrap();
            release.wait();
        });
    }
    for _ in 0..workers {
        comes.recv().unwrap();
    }
    release
}

fn has_that_many_workers(runtime: &Runtime, workers: usize) {
    let release = hold(runtime, workers);
    let one_more = Counted::new(async {});
    let counts = one_more.counts();
    let one_more = runtime.spawn(one_more);
    let enough = Instant::now() + Duration::from_millis(5);
    while counts.polls() == 0 && Instant::now() < enough {
        thread::yield_now();
    }
    assert_eq!(counts.polls(), 0, "there is one worker too many");
    release.wait();
    runtime.block_on(one_more).unwrap();
}

#[test]
fn a_runtime_has_as_many_workers_as_are_asked_for() {
    within(LIMIT, || {
        for workers in 1..=4 {
            has_that_many_workers(&Runtime::new(workers), workers);
        }
    });
}

#[test]
fn by_default_there_is_a_worker_for_each_core() {
    within(LIMIT, || {
        let cores = thread::available_parallelism().unwrap().get();
        has_that_many_workers(&Runtime::default(), cores);
    });
}

/// A task that spawns a task that spawns a task, and so on, each of which waits for the next. The last one waits without end.
/// Each has a clone of `alive`.
fn endless_chain(
    alive: Arc<()>,
    length: usize,
    end: mpsc::Sender<()>,
) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(async move {
        if length == 0 {
            end.send(()).unwrap();
            pending().await
        }
        let next = endless_chain(alive.clone(), length - 1, end);
        spawn(next).await.unwrap();
    })
}

#[test]
fn a_chain_of_ten_thousand_is_dropped_without_a_deep_stack() {
    const LENGTH: usize = few_under_miri(10_000);
    within(LONG, || {
        let runtime = Runtime::new(2);
        let alive = Arc::new(());
        let (end, is_there) = mpsc::channel();
        let first = runtime.spawn(endless_chain(alive.clone(), LENGTH, end));
        is_there.recv().unwrap();
        assert_eq!(Arc::strong_count(&alive), LENGTH + 2);
        runtime.shutdown();
        assert_eq!(Arc::strong_count(&alive), 1);
        assert!(first.is_finished());
        // Now each task waits for the one before.
        let runtime = Runtime::new(2);
        let mut last = runtime.spawn(pending());
        for _ in 0..LENGTH {
            let before = last;
            last = runtime.spawn(async move { drop(before.await) });
        }
        runtime.block_on(runtime.spawn(async {})).unwrap();
        runtime.shutdown();
        assert!(last.is_finished());
    });
}

//! A watched future behaves as the future itself would: neither it nor its executor can tell.

use std::{
    future::{pending, poll_fn},
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Poll, Wake, Waker},
};

use why_pending::{Counted, CountingWaker, poll, watch};

#[test]
fn a_wake_reaches_the_executors_waker_once() {
    let counting = CountingWaker::new();
    let mut future = watch(
        "wakes",
        poll_fn(|cx| {
            cx.waker().wake_by_ref();
            let clone = cx.waker().clone();
            clone.wake();
            Poll::<()>::Pending
        }),
    );
    assert!(poll(&mut future, &counting.waker()).is_pending());
    assert_eq!((counting.wakes(), counting.live()), (2, 0));
}

#[test]
fn a_waker_that_the_future_keeps_will_wake_as_the_next_one_does() {
    let counting = CountingWaker::new();
    let mut kept: Option<Waker> = None;
    let mut same = Vec::new();
    let mut future = watch(
        "keeps",
        poll_fn(|cx| {
            same.extend(kept.as_ref().map(|kept| kept.will_wake(cx.waker())));
            kept = Some(cx.waker().clone());
            Poll::<()>::Pending
        }),
    );
    for waker in [
        counting.waker(),
        counting.waker(),
        CountingWaker::new().waker(),
    ] {
        assert!(poll(&mut future, &waker).is_pending());
    }
    drop(future);
    assert_eq!(same, [true, false]);
}

#[test]
fn between_polls_it_holds_no_waker_that_the_future_does_not() {
    let counting = CountingWaker::new();
    let mut future = watch("forgets", pending::<()>());
    assert!(poll(&mut future, &counting.waker()).is_pending());
    assert_eq!(counting.live(), 0);
}

/// A task that is kept alive by its wakers alone, as in a channel executor.
struct Task(Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>);

impl Wake for Task {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn a_watched_task_that_nobody_can_wake_is_dropped() {
    let counted = Counted::new(pending::<()>());
    let counts = counted.counts();
    let future = Box::pin(watch("alone", counted));
    let task = Arc::new(Task(Mutex::new(Some(future))));
    let waker = Waker::from(task.clone());
    assert!(poll(task.0.lock().unwrap().as_mut().unwrap(), &waker).is_pending());
    drop((waker, task));
    assert_eq!(counts.drops(), 1);
}

#[test]
fn the_future_is_dropped_with_its_watcher_and_not_before() {
    let counted = Counted::new(async {});
    let counts = counted.counts();
    let mut future = watch("done", counted);
    assert!(poll(&mut future, Waker::noop()).is_ready());
    assert!(poll(&mut future, Waker::noop()).is_pending());
    assert_eq!((counts.polls(), counts.drops()), (1, 0));
    drop(future);
    assert_eq!(counts.drops(), 1);
}

#[test]
fn a_waker_outlives_the_future_and_still_wakes() {
    let counting = CountingWaker::new();
    let mut kept = None;
    let mut future = watch(
        "gone",
        poll_fn(|cx| {
            kept = Some(cx.waker().clone());
            Poll::<()>::Pending
        }),
    );
    assert!(poll(&mut future, &counting.waker()).is_pending());
    drop(future);
    kept.unwrap().wake();
    assert_eq!((counting.wakes(), counting.live()), (1, 0));
}

#[test]
fn a_waker_may_be_dropped_by_the_destructor_of_a_thread_local() {
    thread_local! {
        static LAST: Mutex<Option<Waker>> = const { Mutex::new(None) };
    }
    let counting = CountingWaker::new();
    let waker = counting.waker();
    std::thread::spawn(move || {
        LAST.with(|_| ());
        let mut future = watch(
            "late",
            poll_fn(|cx| {
                LAST.with(|last| *last.lock().unwrap() = Some(cx.waker().clone()));
                Poll::<()>::Pending
            }),
        );
        assert!(poll(&mut future, &waker).is_pending());
    })
    .join()
    .unwrap();
    assert_eq!(counting.live(), 0);
}

#[test]
fn it_runs_on_an_executor_that_others_wrote() {
    let mut pool = futures::executor::LocalPool::new();
    let (sender, receiver) = futures::channel::oneshot::channel();
    let recording = why_pending::record(|| {
        let spawner = pool.spawner();
        let send = watch("send", async { sender.send(7).unwrap() });
        futures::task::LocalSpawnExt::spawn_local(&spawner, send).unwrap();
        assert_eq!(pool.run_until(watch("receive", receiver)), Ok(7));
    });
    let wake = recording
        .events
        .iter()
        .find(|event| matches!(event.what, why_pending::What::Wake { .. }));
    assert_eq!(wake.map(|event| event.task), Some(Some(2)));
}

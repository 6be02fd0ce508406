//! What lasts from one `block_on` to the next, and what one inside another does.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::Poll,
};

use probe::{Counted, OnDrop, within};
use step09_epoll_reactor::{Runtime, spawn};

use super::{LIMIT, panic_of, runtime, this_waker, yields};

const NO_RUNTIME: &str = "there is no runtime on this thread: call this inside `block_on`";
const NESTED: &str =
    "`block_on` was called inside `block_on`, and would stop its tasks: use `.await`";

#[test]
fn a_task_that_is_left_over_goes_on_in_the_next_block_on() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let task = Counted::new(yields(20));
        let counts = task.counts();
        let mut task = Some(task);
        let handle = runtime.block_on(poll_fn(|_| Poll::Ready(spawn(task.take().unwrap()))));
        runtime.block_on(yields(5));
        assert!((1..20).contains(&counts.polls()), "{}", counts.polls());
        runtime.block_on(handle).unwrap();
        assert_eq!((counts.polls(), counts.drops()), (21, 1));
    });
}

#[test]
fn a_main_future_that_panics_ends_its_block_on_and_nothing_else() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let task = runtime.spawn(async {
            yields(3).await;
            7
        });
        let message = panic_of(|| {
            runtime.block_on(async {
                yields(1).await;
                panic!("this panic belongs to the test")
            })
        });
        assert_eq!(message, "this panic belongs to the test");
        // The thread has no runtime any more.
        assert_eq!(panic_of(|| drop(spawn(async {}))), NO_RUNTIME);
        assert_eq!(runtime.block_on(task).unwrap(), 7);
    });
}

#[test]
fn a_wake_of_the_last_main_future_does_not_poll_the_next_one() {
    within(LIMIT, || {
        let mut runtime = runtime();
        // Woken as it becomes ready, and again during the next `block_on`.
        let waker = runtime.block_on(async {
            let waker = this_waker().await;
            waker.wake_by_ref();
            waker
        });
        let main = Counted::new(async {
            waker.wake_by_ref();
            spawn(yields(3)).await.unwrap();
        });
        let polls = main.counts();
        runtime.block_on(main);
        assert_eq!(polls.polls(), 2);
    });
}

#[test]
fn a_block_on_inside_another_panics_and_the_outer_one_goes_on() {
    within(LIMIT, || {
        let mut inner = runtime();
        let answer = runtime().block_on(async {
            assert_eq!(panic_of(|| inner.block_on(async {})), NESTED);
            let task = spawn(async { runtime().block_on(async {}) });
            assert_eq!(
                task.await.unwrap_err().to_string(),
                format!("the task panicked: {NESTED}")
            );
            // The thread still has the outer runtime.
            spawn(async { 7 }).await.unwrap()
        });
        assert_eq!(answer, 7);
        assert_eq!(inner.block_on(async { 8 }), 8);
    });
}

#[test]
fn a_main_future_may_spawn_as_it_is_dropped() {
    let spawns = |count: &Arc<AtomicUsize>| {
        let count = Arc::clone(count);
        OnDrop(move || {
            let count = Arc::clone(&count);
            drop(spawn(async move { count.fetch_add(1, SeqCst) }));
        })
    };
    within(LIMIT, || {
        let mut runtime: Runtime = runtime();
        let count = Arc::new(AtomicUsize::new(0));
        let is_dropped = spawns(&count);
        runtime.block_on(poll_fn(move |_| {
            let _ = &is_dropped;
            Poll::Ready(())
        }));
        let is_dropped = spawns(&count);
        panic_of(|| {
            runtime.block_on(poll_fn(move |_| -> Poll<()> {
                let _ = &is_dropped;
                panic!("this panic belongs to the test")
            }));
        });
        runtime.block_on(yields(3));
        assert_eq!(count.load(SeqCst), 2);
    });
}

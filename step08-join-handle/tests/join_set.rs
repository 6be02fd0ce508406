//! Tasks that are joined in the order in which they finish, and aborted together.

use std::{
    future::{Future, pending},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::Context,
    time::Duration,
};

use futures::{channel::oneshot, executor::block_on};
use probe::{CountingWaker, within};
use step08_join_handle::{JoinSet, Runtime, spawn};

const LIMIT: Duration = Duration::from_secs(10);

#[test]
fn an_empty_set_has_nothing_to_wait_for() {
    within(LIMIT, || {
        let mut set = JoinSet::<()>::default();
        assert!(set.is_empty());
        assert_eq!(set.len(), 0);
        set.abort_all();
        assert!(block_on(set.join_next()).is_none());
        assert!(block_on(set.join_next()).is_none());
    });
}

#[test]
fn results_come_in_the_order_in_which_the_tasks_finish() {
    within(LIMIT, || {
        let runtime = Runtime::new(2);
        runtime.block_on(async {
            let mut set = JoinSet::new();
            let mut let_go = Vec::new();
            for i in 0..3 {
                let (send, receive) = oneshot::channel();
                let_go.push(Some(send));
                set.spawn(async move {
                    receive.await.unwrap();
                    i
                });
            }
            for (left, i) in [(3, 2), (2, 0), (1, 1)] {
                assert_eq!(set.len(), left);
                let_go[i].take().unwrap().send(()).unwrap();
                assert_eq!(set.join_next().await.unwrap().unwrap(), i);
            }
            assert!(set.is_empty());
            assert!(set.join_next().await.is_none());
            set.spawn(async { 7 });
            assert!(!set.is_empty());
            assert_eq!(set.join_next().await.unwrap().unwrap(), 7);
        });
    });
}

#[test]
fn dropped_it_aborts_its_tasks() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let alive = Arc::new(());
        let dropped = runtime.spawn({
            let alive = alive.clone();
            async move {
                let mut set = JoinSet::new();
                for _ in 0..10 {
                    let alive = alive.clone();
                    set.spawn(async move {
                        pending::<()>().await;
                        drop(alive);
                    });
                }
                assert_eq!((set.len(), Arc::strong_count(&alive)), (10, 12));
            }
        });
        block_on(dropped).unwrap();
        probe::wait_until(|| Arc::strong_count(&alive) <= 1);
    });
}

/// An output that counts its drop, or panics in it.
struct Output(Option<Arc<AtomicUsize>>);

impl Drop for Output {
    fn drop(&mut self) {
        let drops = self.0.as_ref();
        drops
            .expect("this panic belongs to the test")
            .fetch_add(1, SeqCst);
    }
}

#[test]
fn dropped_it_drops_all_outputs_even_if_one_panics() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let drops = Arc::new(AtomicUsize::new(0));
        runtime.block_on(async {
            let mut set = JoinSet::new();
            let good = || Some(Arc::clone(&drops));
            for output in [good(), None, good()] {
                set.spawn(async { Output(output) });
            }
            // On the only worker, the others are finished before this one.
            spawn(async {}).await.unwrap();
            assert_eq!(drops.load(SeqCst), 0);
            drop(set);
            assert_eq!(drops.load(SeqCst), 2);
        });
    });
}

#[test]
fn all_may_be_aborted_and_are_joined_then() {
    within(LIMIT, || {
        let runtime = Runtime::new(2);
        runtime.block_on(async {
            let mut set = JoinSet::new();
            set.spawn(async { 7 });
            assert_eq!(set.join_next().await.unwrap().unwrap(), 7);
            for _ in 0..10 {
                set.spawn(pending::<i32>());
            }
            set.abort_all();
            assert_eq!(set.len(), 10);
            for left in (0..10).rev() {
                let error = set.join_next().await.unwrap().unwrap_err();
                assert!(error.is_cancelled());
                assert_eq!(set.len(), left);
            }
            assert!(set.join_next().await.is_none());
        });
    });
}

#[test]
fn a_wait_that_is_given_up_loses_no_result() {
    within(LIMIT, || {
        let runtime = Runtime::new(1);
        let mut set = JoinSet::new();
        let (let_go, goes) = oneshot::channel();
        runtime.block_on(async {
            set.spawn(async {
                goes.await.unwrap();
                7
            });
        });
        let counting = CountingWaker::new();
        {
            let waker = counting.waker();
            let next = pin!(set.join_next());
            assert!(next.poll(&mut Context::from_waker(&waker)).is_pending());
        }
        let_go.send(()).unwrap();
        // The task finishes while nothing waits for it.
        runtime.block_on(runtime.spawn(async {})).unwrap();
        assert_eq!(set.len(), 1);
        // So does the wait that is given up although it would be ready.
        drop(set.join_next());
        assert_eq!(block_on(set.join_next()).unwrap().unwrap(), 7);
        assert!(set.is_empty());
    });
}

#[test]
fn a_shutdown_cancels_the_tasks_of_a_set() {
    within(LIMIT, || {
        let runtime = Runtime::new(2);
        let mut set = JoinSet::new();
        let (sends, started) = mpsc::channel();
        runtime.block_on(async {
            for _ in 0..3 {
                let sends = sends.clone();
                set.spawn(async move {
                    sends.send(()).unwrap();
                    pending::<()>().await;
                });
            }
        });
        started.iter().take(3).for_each(drop);
        runtime.shutdown();
        for _ in 0..3 {
            let error = block_on(set.join_next()).unwrap().unwrap_err();
            assert!(error.is_cancelled());
        }
        assert!(block_on(set.join_next()).is_none());
    });
}

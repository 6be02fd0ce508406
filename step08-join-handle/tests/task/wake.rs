//! When a task is woken, it is in the queue once, and no task is polled without a wake.

use std::{
    future::{pending, poll_fn},
    sync::{Arc, mpsc},
    task::{Poll, Waker},
    thread,
};

use futures::executor::block_on;
use probe::within;
use step08_join_handle::{Queue, Runnable, Runtime};

use super::bench::{Bench, LIMIT};

#[test]
fn it_is_polled_once_for_the_spawn_and_then_only_when_woken() {
    within(LIMIT, || {
        let bench = Bench::once(|_| ());
        assert_eq!(bench.counts(), [1, 0, 0, 0]);
        assert!(bench.tick());
        assert_eq!(bench.counts(), [0, 1, 0, 0]);
        assert!(!bench.tick());
        bench.wake();
        assert_eq!(bench.counts(), [1, 1, 0, 0]);
        assert!(bench.tick());
        assert_eq!(bench.counts(), [0, 2, 1, 0]);
        assert_eq!(bench.end(), [1, 1]);
    });
}

#[test]
fn a_wake_during_the_poll_puts_it_into_the_queue_after_the_poll() {
    let wakes: [fn(&Waker); 5] = [
        Waker::wake_by_ref,
        |waker| {
            let clone = waker.clone();
            clone.wake();
        },
        |waker| (0..3).for_each(|_| waker.wake_by_ref()),
        |waker| {
            thread::scope(|scope| drop(scope.spawn(|| waker.wake_by_ref())));
        },
        |waker| {
            let clone = waker.clone();
            thread::spawn(|| clone.wake()).join().unwrap();
        },
    ];
    for wake in wakes {
        within(LIMIT, || {
            let bench = Bench::once(wake);
            bench.tick();
            assert_eq!(bench.counts(), [1, 1, 0, 0]);
            bench.tick();
            assert_eq!(bench.counts(), [0, 2, 1, 0]);
            assert_eq!(bench.end(), [1, 1]);
        });
    }
}

#[test]
fn while_it_is_polled_it_is_not_in_the_queue_although_it_was_woken() {
    within(LIMIT, || {
        let (give, given) = mpsc::channel::<Arc<Queue<Runnable>>>();
        let bench = Bench::once(move |waker| {
            waker.wake_by_ref();
            let queue = given.recv().unwrap();
            assert!(queue.try_pop().is_none(), "a second worker could take it");
        });
        give.send(Arc::clone(&bench.queue)).unwrap();
        bench.tick();
        assert_eq!(bench.counts(), [1, 1, 0, 0]);
        assert_eq!(bench.answer(), "pending");
    });
}

#[test]
fn a_million_wakes_before_the_next_poll_make_one_entry() {
    within(LIMIT, || {
        let wakes = if cfg!(miri) { 1_000 } else { 1_000_000 };
        let bench = Bench::pending();
        bench.tick();
        let waker = bench.waker();
        (0..wakes).for_each(|_| waker.wake_by_ref());
        assert_eq!(bench.counts(), [1, 1, 0, 0]);
        bench.tick();
        assert_eq!(bench.counts(), [0, 2, 0, 0]);
    });
}

#[test]
fn a_wake_in_the_poll_that_is_ready_does_nothing() {
    within(LIMIT, || {
        let bench = Bench::new(|waker, _| {
            waker.wake_by_ref();
            Poll::Ready(())
        });
        bench.tick();
        assert_eq!(bench.counts(), [0, 1, 1, 0]);
        bench.wake();
        assert_eq!(bench.counts(), [0, 1, 1, 0]);
        assert_eq!(bench.answer(), "an output");
        bench.wake();
        assert_eq!(bench.counts(), [0, 1, 1, 1]);
    });
}

#[test]
fn a_wake_after_it_was_ready_does_nothing() {
    within(LIMIT, || {
        let bench = Bench::ready();
        bench.tick();
        bench.wake();
        assert_eq!(bench.counts(), [0, 1, 1, 0]);
        assert_eq!(bench.answer(), "an output");
        bench.wake();
        assert_eq!(bench.counts(), [0, 1, 1, 1]);
    });
}

#[test]
fn a_wake_after_it_was_aborted_or_dropped_does_nothing() {
    within(LIMIT, || {
        let bench = Bench::pending();
        bench.tick();
        bench.abort();
        bench.wake();
        assert_eq!(bench.counts(), [1, 1, 0, 0]);
        bench.tick();
        bench.wake();
        assert_eq!(bench.counts(), [0, 1, 1, 0]);
    });
}

#[test]
fn a_wake_after_the_shutdown_does_nothing() {
    within(LIMIT, || {
        let (give, given) = mpsc::channel();
        let runtime = Runtime::new(1);
        let task = runtime.spawn(async move {
            poll_fn(|cx| {
                give.send(cx.waker().clone()).unwrap();
                Poll::Ready(())
            })
            .await;
            pending::<()>().await;
        });
        let waker = given.recv().unwrap();
        runtime.shutdown();
        waker.wake_by_ref();
        waker.wake();
        assert!(block_on(task).unwrap_err().is_cancelled());
        assert!(given.recv().is_err(), "it was polled again");
    });
}

#[test]
fn a_waker_may_outlive_all_else() {
    within(LIMIT, || {
        let bench = Bench::ready();
        bench.tick();
        let waker = bench.waker();
        assert_eq!(bench.end(), [1, 1]);
        waker.wake_by_ref();
        thread::spawn(move || waker.wake()).join().unwrap();
    });
}

//! When a task is woken, it is in the queue once, and no task is polled without a wake.

use std::{
    sync::{Arc, mpsc},
    task::{Poll, Waker},
    thread,
};

use probe::within;
use step08_join_handle::{Queue, Runnable};

use super::bench::{Bench, LIMIT};

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

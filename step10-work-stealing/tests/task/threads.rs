//! Two workers on one queue, and wakes from other threads.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    task::{Poll, Waker},
    thread,
};

use probe::within;

use crate::{
    bench::{LIMIT, Queue, poll_once, spawn_on},
    task::Why,
};

/// Polls tasks on two threads until this one is finished.
fn run_on_two_threads(queue: &Queue, is_finished: impl Fn() -> bool + Sync) {
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_finished() {
                    match queue.try_pop() {
                        Some(task) => task.run(),
                        None => thread::yield_now(),
                    }
                }
            });
        }
    });
}

#[test]
fn a_storm_of_wakes_from_two_threads_loses_none_and_never_makes_two_polls_at_once() {
    let wakes = if cfg!(miri) { 10 } else { 10_000 };
    within(LIMIT, || {
        let queue = Arc::<Queue>::default();
        let (done, polling) = (Arc::new(AtomicUsize::new(0)), AtomicBool::new(false));
        let polls = Arc::new(AtomicUsize::new(0));
        let (count, its_polls) = (Arc::clone(&done), Arc::clone(&polls));
        let mut threads = Vec::new();
        let (task, mut handle) = spawn_on(
            &queue,
            poll_fn(move |cx| {
                assert!(!polling.swap(true, SeqCst), "two polls at once");
                if its_polls.fetch_add(1, SeqCst) == 0 {
                    threads.extend([(); 2].map(|()| {
                        let (waker, done) = (cx.waker().clone(), Arc::clone(&done));
                        thread::spawn(move || {
                            for _ in 0..wakes {
                                done.fetch_add(1, SeqCst);
                                waker.wake_by_ref();
                            }
                        })
                    }));
                }
                let all = count.load(SeqCst) == 2 * wakes;
                // Time for a wake during the poll, and for another worker.
                thread::yield_now();
                polling.store(false, SeqCst);
                if !all {
                    return Poll::Pending;
                }
                for thread in threads.drain(..) {
                    thread.join().unwrap();
                }
                Poll::Ready(())
            }),
        );
        queue.push(task, Why::Woken);
        run_on_two_threads(&queue, || handle.is_finished());
        assert!(matches!(
            poll_once(&mut handle, Waker::noop()),
            Poll::Ready(Ok(()))
        ));
        drop(handle);
        let polls = polls.load(SeqCst);
        assert!(polls <= 2 * wakes + 1, "more polls than wakes: {polls}");
        assert_eq!(Arc::strong_count(&queue), 1, "the task is freed");
    });
}

#[test]
fn a_task_that_two_threads_run_for_one_wake_is_polled_once() {
    within(LIMIT, || {
        let (queue, polls) = (Arc::<Queue>::default(), Arc::new(AtomicUsize::new(0)));
        let its_polls = Arc::clone(&polls);
        let (task, handle) = spawn_on(&queue, async move {
            its_polls.fetch_add(1, SeqCst);
        });
        let again = task.clone();
        thread::scope(|scope| {
            scope.spawn(|| again.run());
            scope.spawn(|| task.run());
        });
        assert!(handle.is_finished());
        assert_eq!(polls.load(SeqCst), 1);
    });
}

#[test]
fn a_task_may_be_aborted_joined_woken_and_dropped_on_four_threads_at_once() {
    let times = if cfg!(miri) { 4 } else { 500 };
    within(LIMIT, || {
        for _ in 0..times {
            let (queue, owned) = (Arc::<Queue>::default(), Arc::new(()));
            let mut kept = Some(Arc::clone(&owned));
            let (task, mut handle) = spawn_on(
                &queue,
                poll_fn(move |cx| {
                    cx.waker().wake_by_ref();
                    kept.take().map_or(Poll::Pending, Poll::Ready)
                }),
            );
            let (waits, wakes) = (task.clone(), task.clone());
            thread::scope(|scope| {
                scope.spawn(|| task.run());
                scope.spawn(move || drop(wakes));
                scope.spawn(move || waits.shut_down());
                scope.spawn(|| {
                    let polled = poll_once(&mut handle, Waker::noop());
                    drop((handle, polled));
                });
            });
            assert_eq!(Arc::strong_count(&owned), 1);
            assert_eq!(Arc::strong_count(&queue), 1, "the task is freed");
        }
    });
}

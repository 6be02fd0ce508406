//! A task and its handle, from two threads.

use std::{
    future::{pending, poll_fn, ready},
    sync::{
        Arc,
        // Not loom's: these count, and order nothing.
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::Poll,
};

use loom::{
    future::block_on,
    sync::{
        Arc as LoomArc,
        atomic::{AtomicUsize as LoomUsize, Ordering::Relaxed},
    },
    thread,
};
use step08_join_handle::{Queue, Runnable, spawn_on};

/// Counts its drops.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

fn run_all(queue: &Queue<Runnable>) {
    while let Some(task) = queue.try_pop() {
        task.run();
    }
}

#[test]
fn a_handle_is_woken_or_sees_that_the_task_is_finished() {
    loom::model(|| {
        let (task, handle) = spawn_on(&Arc::default(), ready(7));
        let running = thread::spawn(move || task.run());
        // A lost wake-up is a deadlock here, and loom reports it.
        assert_eq!(block_on(handle).unwrap(), 7);
        running.join().unwrap();
    });
}

#[test]
fn a_handle_dropped_as_the_task_finishes_drops_the_output_once() {
    loom::model(|| {
        let drops = Arc::new(AtomicUsize::new(0));
        // The output is dropped although a waker keeps the task.
        let (keep, kept) = mpsc::channel();
        let output = Dropped(drops.clone());
        let (task, handle) = spawn_on(&Arc::default(), async move {
            poll_fn(|cx| Poll::Ready(keep.send(cx.waker().clone())))
                .await
                .unwrap();
            output
        });
        let running = thread::spawn(move || task.run());
        drop(handle);
        running.join().unwrap();
        assert_eq!(drops.load(SeqCst), 1);
        drop(kept);
        assert_eq!(drops.load(SeqCst), 1);
    });
}

/// Notes what was done before it is dropped.
struct Sees(LoomArc<LoomUsize>, Arc<AtomicUsize>);

impl Drop for Sees {
    fn drop(&mut self) {
        self.1.fetch_add(10 + self.0.load(Relaxed), SeqCst);
    }
}

#[test]
fn the_destructor_of_an_aborted_task_sees_what_was_done_before() {
    loom::model(|| {
        let (done, seen) = (
            LoomArc::new(LoomUsize::new(0)),
            Arc::new(AtomicUsize::new(0)),
        );
        let sees = Sees(done.clone(), seen.clone());
        let queue = Arc::<Queue<Runnable>>::default();
        let (task, handle) = spawn_on(&queue, async move {
            pending::<()>().await;
            drop(sees);
        });
        queue.push(task);
        let running = {
            let queue = queue.clone();
            thread::spawn(move || run_all(&queue))
        };
        // Relaxed: the abort must make it visible.
        done.store(1, Relaxed);
        handle.abort();
        running.join().unwrap();
        run_all(&queue);
        assert_eq!(seen.load(SeqCst), 11, "one drop, which has seen it");
        assert!(block_on(handle).unwrap_err().is_cancelled());
    });
}

#[test]
fn a_queue_closed_beside_a_run_and_a_wake_drops_the_future_once() {
    loom::model(|| {
        let seen = Arc::new(AtomicUsize::new(0));
        let sees = Sees(LoomArc::new(LoomUsize::new(0)), seen.clone());
        let queue = Arc::<Queue<Runnable>>::default();
        let (give, given) = mpsc::channel();
        let (task, handle) = spawn_on(&queue, async move {
            poll_fn(|cx| Poll::Ready(give.send(cx.waker().clone())))
                .await
                .unwrap();
            pending::<()>().await;
            drop(sees);
        });
        task.run();
        let waker = given.recv().unwrap();
        waker.wake_by_ref();
        let running = {
            let queue = queue.clone();
            thread::spawn(move || run_all(&queue))
        };
        waker.wake();
        queue.close();
        running.join().unwrap();
        if !handle.is_finished() {
            handle.abort();
        }
        assert_eq!(seen.load(SeqCst), 10);
        assert!(block_on(handle).unwrap_err().is_cancelled());
    });
}

#[test]
fn a_task_aborted_as_it_becomes_ready_ends_in_one_of_two_ways() {
    loom::model(|| {
        let drops = Arc::new(AtomicUsize::new(0));
        let (task, handle) = spawn_on(&Arc::default(), ready(Dropped(drops.clone())));
        let running = thread::spawn(move || task.run());
        handle.abort();
        match block_on(handle) {
            Ok(output) => assert_eq!(output.0.load(SeqCst), 0),
            Err(error) => assert!(error.is_cancelled()),
        }
        running.join().unwrap();
        assert_eq!(drops.load(SeqCst), 1);
    });
}

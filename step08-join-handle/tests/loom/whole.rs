//! All at once: a worker runs the task while two threads wake it, and a third aborts it and waits for it.
//!
//! With two interruptions these are 86,542 orders, and 13,649 and 10,844 for the two models after it.

use std::{
    future::poll_fn,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Poll, Waker},
};

use loom::{
    future::block_on,
    sync::{
        Arc as LoomArc,
        atomic::{AtomicUsize as LoomUsize, Ordering::Relaxed},
    },
    thread,
};
use step08_join_handle::{JoinHandle, Queue, Runnable, spawn_on};

/// A task that has been polled once, its waker, and the number of wakes that it has seen.
struct Whole {
    queue: Arc<Queue<Runnable>>,
    handle: JoinHandle<usize>,
    waker: Waker,
    /// What the wakers do before each wake. Relaxed: the state must make it visible.
    done: LoomArc<LoomUsize>,
    /// What cannot be asserted in the poll, because a task's panics are caught.
    most_at_once: Arc<AtomicUsize>,
}

/// A task that is ready once it has seen so much done.
fn spawn(goal: usize) -> Whole {
    let queue = Arc::<Queue<Runnable>>::default();
    let done = LoomArc::new(LoomUsize::new(0));
    let waker = Arc::new(Mutex::new(None));
    let (at_once, most_at_once) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
    let (task, handle) = spawn_on(&queue, {
        let (done, waker) = (done.clone(), waker.clone());
        let most_at_once = most_at_once.clone();
        poll_fn(move |cx| {
            most_at_once.fetch_max(at_once.fetch_add(1, SeqCst) + 1, SeqCst);
            waker
                .lock()
                .unwrap()
                .get_or_insert_with(|| cx.waker().clone());
            let seen = done.load(Relaxed);
            at_once.fetch_sub(1, SeqCst);
            if seen == goal {
                Poll::Ready(seen)
            } else {
                Poll::Pending
            }
        })
    });
    task.run();
    let waker = waker.lock().unwrap().take().unwrap();
    Whole {
        queue,
        handle,
        waker,
        done,
        most_at_once,
    }
}

impl Whole {
    /// What a thread does that wakes the task.
    fn wake(&self) -> impl FnOnce() + use<> {
        let (waker, done) = (self.waker.clone(), self.done.clone());
        move || {
            done.fetch_add(1, Relaxed);
            waker.wake();
        }
    }

    /// What a worker does.
    fn work(&self) -> impl FnOnce() + use<> {
        let queue = self.queue.clone();
        move || {
            while let Some(task) = queue.pop() {
                task.run();
            }
        }
    }
}

/// Tries all orders with at most two interruptions, or with as many as `LOOM_MAX_PREEMPTIONS` says. Says how many orders
/// there were.
fn bounded(model: impl Fn() + Send + Sync + 'static) {
    let orders = Arc::new(AtomicUsize::new(0));
    let count = orders.clone();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound.get_or_insert(2);
    builder.check(move || {
        count.fetch_add(1, SeqCst);
        model();
    });
    println!("{} orders", orders.load(SeqCst));
}

#[test]
fn one_run_two_wakes_one_abort_one_join() {
    bounded(|| {
        let whole = spawn(2);
        let wakers = [(); 2].map(|()| thread::spawn(whole.wake()));
        let worker = thread::spawn(whole.work());
        whole.handle.abort();
        match block_on(whole.handle) {
            Ok(seen) => assert_eq!(seen, 2),
            Err(error) => assert!(error.is_cancelled(), "{error}"),
        }
        whole.queue.close();
        worker.join().unwrap();
        for waker in wakers {
            waker.join().unwrap();
        }
        assert_eq!(whole.most_at_once.load(SeqCst), 1);
    });
}

#[test]
fn one_run_two_wakes_one_join() {
    bounded(|| {
        let whole = spawn(2);
        let worker = thread::spawn(whole.work());
        let waker = thread::spawn(whole.wake());
        whole.wake()();
        // A lost wake-up is a deadlock here, and loom reports it.
        assert_eq!(block_on(whole.handle).unwrap(), 2);
        whole.queue.close();
        worker.join().unwrap();
        waker.join().unwrap();
        assert_eq!(whole.most_at_once.load(SeqCst), 1);
    });
}

#[test]
fn two_workers_and_two_wakes() {
    bounded(|| {
        let whole = spawn(2);
        let workers = [(); 2].map(|()| thread::spawn(whole.work()));
        whole.wake()();
        whole.wake()();
        assert_eq!(block_on(whole.handle).unwrap(), 2);
        whole.queue.close();
        for worker in workers {
            worker.join().unwrap();
        }
        assert_eq!(whole.most_at_once.load(SeqCst), 1);
    });
}

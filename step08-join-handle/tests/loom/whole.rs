//! All at once: a worker runs the task while two threads wake it, and a third aborts it and waits for it.

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

fn work(queue: &Queue<Runnable>) {
    while let Some(task) = queue.pop() {
        task.run();
    }
}

impl Whole {
    fn wake_on_a_thread(&self) -> thread::JoinHandle<()> {
        let (waker, done) = (self.waker.clone(), self.done.clone());
        thread::spawn(move || {
            done.fetch_add(1, Relaxed);
            waker.wake();
        })
    }
}

fn bounded(bound: usize, model: impl Fn() + Send + Sync + 'static) {
    let mut orders = loom::model::Builder::new();
    orders.preemption_bound = Some(bound);
    orders.check(model);
}

#[test]
fn one_run_two_wakes_one_join() {
    bounded(3, || {
        let whole = spawn(2);
        let wakers = [whole.wake_on_a_thread(), whole.wake_on_a_thread()];
        let worker = {
            let queue = whole.queue.clone();
            thread::spawn(move || work(&queue))
        };
        assert_eq!(block_on(whole.handle).unwrap(), 2);
        whole.queue.close();
        worker.join().unwrap();
        for waker in wakers {
            waker.join().unwrap();
        }
        assert_eq!(whole.most_at_once.load(SeqCst), 1);
    });
}

#[test]
fn one_run_two_wakes_one_abort_one_join() {
    bounded(3, || {
        let whole = spawn(2);
        let wakers = [whole.wake_on_a_thread(), whole.wake_on_a_thread()];
        let worker = {
            let queue = whole.queue.clone();
            thread::spawn(move || work(&queue))
        };
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
fn two_workers_and_one_wake() {
    bounded(3, || {
        let whole = spawn(1);
        let waking = whole.wake_on_a_thread();
        let workers = [(); 2].map(|()| {
            let queue = whole.queue.clone();
            thread::spawn(move || work(&queue))
        });
        assert_eq!(block_on(whole.handle).unwrap(), 1);
        whole.queue.close();
        for thread in workers {
            thread.join().unwrap();
        }
        waking.join().unwrap();
        assert_eq!(whole.most_at_once.load(SeqCst), 1);
    });
}

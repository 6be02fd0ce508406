//! Every order in which a task can be woken while its executor takes it from the queue or looks at its flag, tried by
//! loom.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step04-channel-executor --test loom --target-dir target/loom`
#![cfg(loom)]

use std::task::Waker;

use loom::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};
use step04_channel_executor::{Queued, v1_looks_every_10_ms::Woken};

/// Takes the task from the queue, "polls" it, and so on until the poll finds what it waits for. A lost wake is
/// a deadlock, which loom reports.
fn run_until(goal: usize, queue: &mpsc::Receiver<()>, queued: &Queued, done: &AtomicUsize) {
    loop {
        queue.recv().unwrap();
        queued.clear();
        // Relaxed: it is the flag that must make the work visible.
        if done.load(Ordering::Relaxed) == goal {
            return;
        }
    }
}

fn model(wakers: usize) {
    let mut orders = loom::model::Builder::new();
    // Every order in which a thread is interrupted at most three times: with two wakers, all would be too many.
    orders.preemption_bound = Some(3);
    orders.check(move || {
        let (sender, queue) = mpsc::channel();
        let queued = Arc::new(Queued::no());
        let done = Arc::new(AtomicUsize::new(0));
        assert!(queued.set());
        sender.send(()).unwrap();
        let wakers: Vec<_> = (0..wakers)
            .map(|_| {
                let (sender, queued, done) = (sender.clone(), queued.clone(), done.clone());
                thread::spawn(move || {
                    done.fetch_add(1, Ordering::Relaxed);
                    if queued.set() {
                        sender.send(()).unwrap();
                    }
                })
            })
            .collect();
        run_until(wakers.len(), &queue, &queued, &done);
        for waker in wakers {
            waker.join().unwrap();
        }
        while queue.try_recv().is_ok() {}
    });
}

#[test]
fn one_wake_is_never_lost_and_brings_what_was_done_before_it() {
    model(1);
}

#[test]
fn nor_are_two_at_once() {
    model(2);
}

/// The flag of version 1: one look while the task is being woken, and one when all have woken it.
fn model_of_looks(wakers: usize) {
    loom::model(move || {
        let woken = std::sync::Arc::new(Woken::yes());
        assert!(woken.take() && !woken.take());
        let done = Arc::new(AtomicUsize::new(0));
        let wakers: Vec<_> = (0..wakers)
            .map(|_| {
                let (waker, done) = (Waker::from(std::sync::Arc::clone(&woken)), done.clone());
                thread::spawn(move || {
                    done.fetch_add(1, Ordering::Relaxed);
                    waker.wake();
                })
            })
            .collect();
        let goal = wakers.len();
        // Relaxed: it is the flag that must make the work visible.
        let seen = woken.take().then(|| done.load(Ordering::Relaxed));
        for waker in wakers {
            waker.join().unwrap();
        }
        // If the first look took the last wake, it was the last look too, and must have seen all work.
        assert!(woken.take() || seen == Some(goal));
    });
}

#[test]
fn a_look_that_finds_the_flag_set_sees_what_was_done_before_the_wake() {
    model_of_looks(1);
}

#[test]
fn and_what_was_done_before_each_of_two_wakes() {
    model_of_looks(2);
}

//! A task is woken while its executor takes it from the queue: loom tries every order of the threads' steps with at most
//! three interruptions in all.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step04-channel-executor --test loom --target-dir target/loom`
#![cfg(loom)]

use loom::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};
use step04_channel_executor::Queued;

/// Takes the task from the queue and "polls" it, until a poll finds all the work done. A lost wake is a deadlock, which
/// loom reports.
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
    // Without this bound there would be too many orders to try them all with two wakers.
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
fn no_wake_is_lost_and_the_next_poll_sees_what_came_before() {
    model(1);
}

#[test]
fn two_wakes_at_once_are_not_lost_either() {
    model(2);
}

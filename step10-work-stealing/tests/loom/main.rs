//! What several threads share, on loom, which takes the orders of the threads' steps one after another: all of them, or
//! where a model says so, all with at most so many interruptions.
//!
//! These are modules of the library, because a user of the runtime cannot see so much.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step10-work-stealing --lib --target-dir target/loom models::`

mod idle_model;
mod injector_model;
mod parking_model;
mod task_model;
mod workers_model;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::Waker,
    time::Duration,
};

use crossbeam_deque::Worker as Deque;

use crate::{
    Handle, Park, Parker, Version, budget::Budget, driver::TimeDriver, shared::Shared, task::Task,
};

/// What the threads of a runtime share, without its workers: a model starts its own, with these deques.
pub(crate) fn runtime(workers: usize, version: Version) -> (Handle, Vec<Deque<Task>>) {
    let deques: Vec<_> = (0..workers).map(|_| Deque::new_fifo()).collect();
    let stealers = deques.iter().map(Deque::stealer);
    let driver = TimeDriver::new(Timeless::default());
    let shared = Shared::new(version, Budget::Limited, stealers, driver, None);
    (Handle(Arc::new(shared)), deques)
}

/// Loom knows no time. Asked to look, this looks, and asked to sleep, it sleeps until it is unparked.
#[derive(Default)]
struct Timeless(Parker);

impl Park for Timeless {
    fn park(&self, limit: Option<Duration>, due: &mut Vec<Waker>) {
        if limit != Some(Duration::ZERO) {
            self.0.park(None, due);
        }
    }

    fn unpark(&self) {
        self.0.unpark();
    }
}

/// Tries all orders with at most so many interruptions, or with as many as `LOOM_MAX_PREEMPTIONS` says. Says how many
/// orders there were.
///
/// An interruption is a switch away from a thread that could go on. With none, a thread goes on until it blocks, yields or
/// ends, and what is tried is which one goes on then: nothing happens in the midst of a push, a steal or a last look.
pub(crate) fn interrupted(times: usize, model: impl Fn() + Send + Sync + 'static) {
    let orders = Arc::new(AtomicUsize::new(0));
    let count = orders.clone();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound.get_or_insert(times);
    builder.max_branches = 10_000;
    builder.check(move || {
        count.fetch_add(1, SeqCst);
        model();
    });
    println!("{} orders", orders.load(SeqCst));
}

//! What several threads share, on loom, which takes the orders of the threads' steps one after another: all of them, or
//! where a model says so, all with at most so many interruptions.
//!
//! The sources themselves are modules of this crate, because a user of the runtime cannot see so much.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step10-work-stealing --test loom --target-dir target/loom`
#![cfg(loom)]

mod idle_model;
mod injector_model;
mod parking_model;
mod task_model;
mod workers_model;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use crossbeam_deque::Worker;

/// What the threads of a runtime share, without its workers: a model starts its own, with these queues.
fn shared(workers: usize, version: Version) -> (Handle, Vec<Worker<Task>>) {
    let queues: Vec<_> = (0..workers).map(|_| Worker::new_fifo()).collect();
    let stealers = queues.iter().map(Worker::stealer);
    let driver = TimeDriver::new(Parker::default());
    let shared = shared::Shared::new(version, true, stealers, driver, None);
    (Handle(Arc::new(shared)), queues)
}

/// Tries all orders with at most so many interruptions, or with as many as `LOOM_MAX_PREEMPTIONS` says. Says how many
/// orders there were.
fn interrupted(times: usize, model: impl Fn() + Send + Sync + 'static) {
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

#[allow(
    dead_code,
    unused_imports,
    missing_docs,
    reason = "it is the whole of the crate, and the models use some of it"
)]
#[path = "../../src"]
mod src {
    pub mod carried {
        pub mod contain;
        pub mod executor {
            pub mod park;
        }
        pub mod join_error;
        pub mod reactor;
    }

    pub mod budget;
    pub mod context;
    pub mod handle;
    pub mod idle;
    pub mod injector;
    pub mod list;
    pub mod metrics;
    pub mod parking;
    pub mod registered;
    pub mod shared;
    pub mod sync;
    pub mod task;
    pub mod version;
    pub mod worker;
}
mod untimed;

use src::{
    budget,
    carried::{
        contain,
        executor::park::{Park, Parker},
        join_error::{JoinError, Payload},
        reactor::{
            Reactor, readiness,
            selector::{self, Direction},
            source,
        },
    },
    context,
    handle::Handle,
    idle, injector, list,
    metrics::{self, WorkerMetrics},
    parking,
    registered::Registered,
    shared, sync,
    task::{self, JoinHandle, Task},
    version::Version,
    worker,
};
use untimed::{
    Sleep,
    time_driver::{self, TimeDriver},
};

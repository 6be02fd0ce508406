//! # Stage 04: a channel executor
//!
//! An executor runs many futures on one thread. Each future becomes a *task*, and a channel is the queue of tasks to
//! poll. Spawning a task sends it to the queue, and waking a task sends it there again. That is the whole idea: *a
//! waker is a sender to the executor's queue that always sends the same task*.
//!
//! ```
//! use step04_channel_executor::{TimerFuture, executor};
//! use std::time::Duration;
//!
//! let (executor, spawner) = executor();
//! spawner.spawn(async {
//!     println!("howdy!");
//!     TimerFuture::new(Duration::from_millis(5)).await;
//!     println!("done!");
//! });
//! drop(spawner); // no more tasks will come
//! executor.run(); // returns when the tasks are finished
//! ```
//!
//! Read `executor/v3_polls_when_woken.rs` first: it is that idea in code, and little else. Then read the versions in their
//! order, of which each fixes a weakness of the one before:
//!
//! 1. `task_future.rs`: [`TaskFuture`], a spawned future, until it is finished or panics.
//! 2. `executor/v1_looks_every_10_ms.rs`: [version 1](v1_looks_every_10_ms) checks every 10 ms which tasks have been
//!    woken.
//! 3. `executor/v2_sends_again.rs`: [version 2](v2_sends_again) sends every pending task into the channel again at
//!    once. It adds no delay, and it never sleeps.
//! 4. `queued.rs`: [`Queued`], the flag because of which many wakes make one queue entry.
//! 5. `executor/v3_polls_when_woken.rs`: [version 3](v3_polls_when_woken) polls a task only when it has been woken.
//! 6. `executor/v4_cleans_up.rs`: [version 4](v4_cleans_up) ends although a waker is kept, and drops each future on the
//!    executor's thread. [`executor()`] is this version.
//! 7. `executor/local.rs`: a [local executor](local), whose tasks need not be `Send`.
//! 8. `neighbours.rs`: what a task that blocks its thread, or never yields it, does to the other tasks.
//!
//! [`Wake`](std::task::Wake) makes a waker out of an `Arc`. The older `ArcWake` of the `futures` crate does the same, and
//! document 000 uses it: see `bin/future_and_scheduling.rs`. Stage 05 builds a waker without either.
//!
//! Carried from stage 03: `signal.rs`, `timer_future.rs`, `polls.rs`. Carried from stage 01: `contain.rs`.
//!
//! What this stage cannot do: return a result. A spawned future returns `()`, and `spawn` returns nothing
//! that code outside the tasks could wait for.
//!
//! After the documents *Future and scheduling* (000: `FutureChannel`, `FutureWrapper`) and *Inside async* (002: its two
//! tasks, and checking every 10 ms, here in a design of our own). Their programs: `bin/future_and_scheduling.rs` and
//! `bin/inside_async.rs`.

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod polls;
    pub(crate) mod signal;
    pub(crate) mod timer_future;
}

mod executor;
mod neighbours;
mod queued;
mod sync;
mod task_future;

use carried::contain;
pub use carried::{polls::Polls, signal::Signal, timer_future::TimerFuture};
pub use executor::{
    local, v1_looks_every_10_ms, v2_sends_again, v3_polls_when_woken, v4_cleans_up,
    v4_cleans_up::{Executor, Spawner, executor},
};
pub use neighbours::{polls_of_neighbour, yield_now};
pub use queued::Queued;
pub use task_future::TaskFuture;

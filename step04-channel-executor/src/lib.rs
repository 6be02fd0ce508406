//! # Stage 04: a channel executor
//!
//! An executor runs many futures on one thread. Each becomes a *task*; a channel is the list of tasks to poll.
//! Spawning sends a task. Waking sends it again. That is the whole idea: *the waker is the sending end of the
//! executor's queue, with the task's name on it*.
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
//! executor.run(); // returns when the tasks are done
//! ```
//!
//! Read in this order:
//!
//! 1. `task_future.rs`: [`TaskFuture`], a future that somebody spawned, until it is finished or panics.
//! 2. `executor/v1_looks_every_10_ms.rs`: [version 1](v1_looks_every_10_ms) asks each task every 10 ms whether it
//!    was woken.
//! 3. `executor/v2_sends_again.rs`: [version 2](v2_sends_again) sends every pending task into the channel again, at
//!    once. It is never late, and never asleep.
//! 4. `queued.rs`: [`Queued`], the flag that makes many wakes one queue entry.
//! 5. `executor/v3_polls_when_woken.rs`: [version 3](v3_polls_when_woken), the real one. [`executor()`] is this
//!    version.
//!
//! [`Wake`](std::task::Wake) and [`ArcWake`](futures::task::ArcWake) each make a waker out of an `Arc`: the first is
//! the standard library's, the second is older and is what the documents use. Stage 05 opens them up.
//!
//! Carried from stage 03: `signal.rs`, `timer_future.rs`, `polls.rs`. Carried from stage 01: `contain.rs`.
//!
//! What this stage cannot do: hand out a result. A spawned future returns `()`, and whoever is not a task has
//! no way to wait for one.
//!
//! After the documents *Future and scheduling* (000: `FutureChannel`, `FutureWrapper`) and *Inside async* (002:
//! the executor that looks every 10 ms, and its two tasks).

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod polls;
    pub(crate) mod signal;
    pub(crate) mod timer_future;
}

mod executor;
mod queued;
mod sync;
mod task_future;

use carried::contain;
pub use carried::{polls::Polls, signal::Signal, timer_future::TimerFuture};
pub use executor::{
    v1_looks_every_10_ms, v2_sends_again, v3_polls_when_woken,
    v3_polls_when_woken::{Executor, Spawner, executor, executor_on_std_wake},
};
pub use queued::Queued;
pub use task_future::TaskFuture;

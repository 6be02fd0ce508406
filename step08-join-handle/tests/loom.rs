//! What several threads share, on loom, which takes the orders of the threads' steps one after another: all of them, or
//! where a model says so, all with at most so many interruptions.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step08-join-handle --test loom --target-dir target/loom`
#![cfg(loom)]

#[path = "loom/channel.rs"]
mod channel;
#[path = "loom/queue.rs"]
mod queue;
#[path = "loom/semaphore.rs"]
mod semaphore;
#[path = "loom/state.rs"]
mod state;
#[path = "loom/task.rs"]
mod task;
#[path = "loom/whole.rs"]
mod whole;

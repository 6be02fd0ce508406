//! What several threads share, on loom, which takes the orders of the threads' steps one after another: all of them, or
//! where a model says so, all with at most so many interruptions.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step08-join-handle --test loom --target-dir target/loom`
#![cfg(loom)]

mod channel;
mod queue;
mod semaphore;
mod state;
mod task;
mod whole;

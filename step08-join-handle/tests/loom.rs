//! What several threads share, in every order of their steps.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step08-join-handle --test loom --target-dir target/loom`
#![cfg(loom)]

#[path = "loom/channel.rs"]
mod channel;
#[path = "loom/semaphore.rs"]
mod semaphore;

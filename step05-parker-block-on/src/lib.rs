//! # Stage 05: parker and `block_on`
//!
//! `block_on` is the smallest executor: one future, one thread. It polls; when the answer is "not yet", it puts
//! its own thread to sleep; the waker ends the sleep. So its waker is a handle on a sleeping thread, and the
//! whole question is how a thread sleeps such that no wake can be missed, taken away or counted twice.
//!
//! ```
//! use step05_parker_block_on::{TimerFuture, block_on};
//! use std::time::Duration;
//!
//! let answer = block_on(async {
//!     TimerFuture::new(Duration::from_millis(5)).await;
//!     42
//! });
//! assert_eq!(answer, 42);
//! ```
//!
//! Read in this order:
//!
//! 1. `parker.rs`: [`Parker`]. A thread sleeps until it is called, or does not sleep if it was called before.
//! 2. `waker/v1_by_hand.rs`: [a waker](waker::v1_by_hand) from four functions and a pointer.
//! 3. `waker/v2_by_wake.rs`: [the same](waker::v2_by_wake) by a trait, without `unsafe`.
//! 4. `block_on.rs`: [`block_on`]. Poll, park, poll.
//! 5. `thread_token.rs`: [the same](thread_token) with `thread::park`, and the future that makes it hang.
//!
//! Carried from stage 03: `signal.rs`, `timer_future.rs`, `polls.rs`.
//!
//! What this stage cannot do: wait for many things cheaply. Each timer still costs a thread.
//!
//! After the documents *Parker and Reactor* (003: `Parker`, `MyWaker`, `block_on`, and its open question: why
//! not `thread::park`?) and *Inside async* (002: `create_waker`).

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod polls;
    pub(crate) mod signal;
    pub(crate) mod timer_future;
}

mod block_on;
mod parker;
mod sync;
pub mod thread_token;
pub mod waker;

pub use block_on::{block_on, block_on_with};
pub use carried::{polls::Polls, signal::Signal, timer_future::TimerFuture};
pub use parker::Parker;

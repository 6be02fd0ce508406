//! # Stage 05: parker and `block_on`
//!
//! `block_on` is the smallest executor: one future, one thread. It polls the future, and when the future is pending it
//! puts its own thread to sleep; the waker ends that sleep. So this waker is a handle to a sleeping thread, and the
//! question of this stage is how the thread sleeps without missing a wake, and without losing one to other code.
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
//! Read `block_on.rs` first, which is that idea in one loop. Then in this order:
//!
//! 1. `parker.rs`: [`Parker`]. A thread sleeps until it is unparked, or does not sleep if it was unparked before.
//! 2. `waker/v1_by_hand.rs`: [a waker](waker::v1_by_hand) made of a pointer and a table of four functions.
//! 3. `waker/v2_by_wake.rs`: [the same waker](waker::v2_by_wake) by a trait, without `unsafe`.
//! 4. `thread_token.rs`: [`block_on` by `thread::park`](thread_token), and the future that makes it hang.
//! 5. `signal.rs`: [`Signal`], version 2, which runs no code of a waker under its lock.
//!
//! Carried from stage 03: `timer_future.rs`, `polls.rs`.
//!
//! What this stage cannot do: wait for many things cheaply. Each timer still costs a thread.
//!
//! After the documents *Parker and Reactor* (003: `Parker`, `MyWaker`, `block_on`, and the question that it leaves open:
//! why not `thread::park`?) and *Inside async* (002: `create_waker`).

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod polls;
    pub(crate) mod timer_future;
}

mod block_on;
mod block_on_with;
mod parker;
mod signal;
mod sync;
pub mod thread_token;
pub mod waker;

// A later stage carries these files byte for byte, so the examples that name this crate are here.
/// Waits for a future, on the thread that calls it.
///
/// ```
/// use step05_parker_block_on::block_on;
///
/// assert_eq!(block_on(async { 6 * 7 }), 42);
/// assert_eq!(block_on(async { block_on(async { 6 }) * 7 }), 42);
/// ```
pub use block_on::block_on;
pub use block_on_with::block_on_with;
pub use carried::{polls::Polls, timer_future::TimerFuture};
/// A place to sleep.
///
/// ```
/// use step05_parker_block_on::Parker;
/// use std::thread;
///
/// let parker = Parker::default();
/// thread::scope(|scope| {
///     scope.spawn(|| parker.unpark());
///     parker.park();
/// });
/// ```
pub use parker::Parker;
pub use signal::Signal;

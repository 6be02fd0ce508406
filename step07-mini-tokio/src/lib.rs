//! # Stage 07: mini-tokio
//!
//! Everything so far, put together as a runtime that you would recognise: `spawn` tasks, `run` them, and the same
//! futures run on the real tokio too, because all that a future sees of a runtime is a
//! [`Waker`](std::task::Waker).
//!
//! ```
//! use std::time::{Duration, Instant};
//! use step07_mini_tokio::{Delay, MiniTokio};
//!
//! let mini_tokio = MiniTokio::new();
//! mini_tokio.spawn(async {
//!     let when = Instant::now() + Duration::from_millis(10);
//!     let out = Delay::until(when).await;
//!     assert_eq!(out, "done");
//! });
//! mini_tokio.run();
//! ```
//!
//! Read in this order:
//!
//! 1. [`my_async_fn`]: calling it does nothing.
//! 2. [`delay::s1_busy`], [`delay::s2_thread_per_poll`], [`delay::s3_latest_waker`], [`delay::s4_notify`]: four
//!    times the same future. [`Delay`] is the third.
//! 3. [`MainFuture`]: an `async` block by hand.
//! 4. [`mini_tokio::s1_queue`]: a runtime that never sleeps.
//! 5. [`mini_tokio::s2_channel`]: the real one. [`MiniTokio`] is this version.
//! 6. [`hand_over`]: a future that is polled by one task and awaited by another.
//!
//! Carried from stage 03: `signal.rs`, `polls.rs`. Carried from stage 04: `queued.rs`, `task_future.rs`, `sync.rs`.
//!
//! What this stage cannot do: hand out a result or a panic, cancel one task, use more than one thread.
//!
//! After the document *Async in depth* (004).

pub mod delay;
mod hand_over;
mod laziness;
mod main_future;
pub mod mini_tokio;
mod polls;
mod queued;
mod signal;
mod sync;
mod task_future;

pub use delay::s3_latest_waker::Delay;
pub use hand_over::hand_over;
pub use laziness::my_async_fn;
pub use main_future::MainFuture;
pub use mini_tokio::s2_channel::{Handle, MiniTokio};
pub use polls::Polls;
pub use queued::Queued;
pub use signal::Signal;
pub use task_future::TaskFuture;

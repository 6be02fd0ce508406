//! # Stage 07: mini-tokio
//!
//! A runtime in the shape of tokio: `spawn` tasks, hand out handles, and `run` until every task is finished. It is made
//! from the executor of stage 04 and the signal of stage 05. The same futures run on the real tokio too, because all
//! that they see of a runtime is a [`Waker`](std::task::Waker). A delay costs a thread again here, as in the document;
//! the timers of stage 06 would run here unchanged.
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
//! Read `mini_tokio/v1_queue.rs` first: it is that shape in a few lines, for a runtime that never sleeps. Then in this order:
//!
//! 1. `laziness.rs`: [`my_async_fn`]. Calling it creates a future and does nothing else.
//! 2. `delay.rs` and `delay/`: one future in four versions, [busy](delay::v1_busy), [with a thread for every
//!    poll](delay::v2_thread_per_poll), [with the latest waker](delay::v3_latest_waker), and [with
//!    `Notify`](delay::v4_notify). [`Delay`] is the third.
//! 3. `main_future.rs`: [`MainFuture`], an `async` block written by hand.
//! 4. `mini_tokio/v1_queue.rs`: [a runtime that never sleeps](mini_tokio::v1_queue).
//! 5. `mini_tokio/v2_channel.rs`: [a runtime that sleeps until a task is woken](mini_tokio::v2_channel). [`MiniTokio`]
//!    is this version.
//! 6. `hand_over.rs`: [`hand_over`]. One task polls a future, and another awaits it.
//! 7. `fairness.rs`: [a task that never has to wait](fairness), and how long its neighbour waits for a turn.
//!
//! Carried from stage 01: `contain.rs`. Carried from stage 03: `polls.rs`, `timer_future.rs`. Carried from stage 04: `queued.rs`,
//! `task_future.rs`, `sync.rs`. Carried from stage 05: `signal.rs`.
//!
//! What this stage cannot do: return a task's result or panic, cancel one task, use more than one thread.
//!
//! After the document *Async in depth* (004).

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod polls;
    pub(crate) mod queued;
    pub(crate) mod signal;
    pub(crate) mod sync;
    pub(crate) mod task_future;
    pub(crate) mod timer_future;
}

pub mod delay;
pub mod fairness;
mod hand_over;
mod laziness;
mod main_future;
pub mod mini_tokio;

use carried::{contain, sync};
pub use carried::{
    polls::Polls, queued::Queued, signal::Signal, task_future::TaskFuture,
    timer_future::TimerFuture,
};
pub use delay::v3_latest_waker::Delay;
pub use hand_over::hand_over;
pub use laziness::my_async_fn;
pub use main_future::MainFuture;
pub use mini_tokio::v2_channel::{Handle, MiniTokio};

//! # Stage 07: mini-tokio
//!
//! A runtime in the shape of tokio: `spawn` tasks, hand out handles, and `run` until every task is finished. It is made
//! from the executor of stage 04, and its timers are those of stage 06, unchanged. The same program runs on the real
//! tokio too, because all that its futures see of a runtime is a [`Waker`](std::task::Waker).
//!
//! ```
//! use std::time::Duration;
//! use step07_mini_tokio::{MiniTokio, sleep};
//!
//! let mini_tokio = MiniTokio::new();
//! let handle = mini_tokio.handle();
//! mini_tokio.spawn(async move {
//!     sleep(Duration::from_millis(10)).await;
//!     handle.spawn(async { println!("and another task") });
//! });
//! mini_tokio.run();
//! ```
//!
//! Read `mini_tokio.rs` first: [`MiniTokio`] owns its tasks, and polls those that are woken. Then in this order:
//!
//! 1. `sleep.rs`: [`sleep`], a timer of stage 06 for any runtime.
//! 2. `hand_over.rs`: [`hand_over`]. One task polls a future, and another awaits it.
//! 3. `fairness.rs`: [a task that never has to wait](fairness), and how long its neighbour waits for a turn.
//! 4. `async_in_depth.rs` and its folder, if you come from the document of that name: [four delays and a runtime that
//!    never sleeps](async_in_depth).
//!
//! Carried from stage 01: `contain.rs`. Carried from stage 03: `polls.rs`, `timer_future.rs`. Carried from stage 04: `queued.rs`,
//! `task_future.rs`, `sync.rs`. Carried from stage 05: `signal.rs`. Carried from stage 06: `deadlines.rs`, `driver.rs` and
//! its two versions, `reactor.rs`, `threads.rs`, `timer.rs`, `timers.rs`.
//!
//! What this stage cannot do: return a task's result or panic, cancel one task, use more than one thread.
//!
//! After the document *Async in depth* (004).

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod deadlines;
    pub(crate) mod driver;
    pub(crate) mod polls;
    pub(crate) mod queued;
    pub(crate) mod reactor;
    pub(crate) mod signal;
    pub(crate) mod sync;
    pub(crate) mod task_future;
    pub(crate) mod threads;
    pub(crate) mod timer;
    pub(crate) mod timer_future;
    pub(crate) mod timers;
}

pub mod async_in_depth;
pub mod fairness;
mod hand_over;
mod mini_tokio;
mod sleep;

use carried::{contain, driver, sync, threads};
pub use carried::{
    deadlines::Deadlines,
    driver::Event,
    polls::Polls,
    queued::Queued,
    reactor::Reactor,
    signal::Signal,
    task_future::TaskFuture,
    timer::Timer,
    timer_future::TimerFuture,
    timers::{Id, TimerError, Timers},
};
pub use hand_over::hand_over;
pub use mini_tokio::{Handle, MiniTokio};
pub use sleep::sleep;

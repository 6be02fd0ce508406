//! # Stage 02: join
//!
//! A future can be made of other futures. It passes each poll on to its children, and the `wake` with it, so the run
//! loop that polls it needs no change.
//!
//! [`Join`] runs two futures side by side, and [`AndThen`] one after the other. The only difference is *when the second
//! one is first polled*, because a future does nothing before that. [`Race`] runs two futures side by side until the
//! first is ready, and cancels the other one by dropping it.
//!
//! ```
//! use step02_join::{AndThen, Join, Race, RunLoop, Timer};
//! use std::time::Duration;
//!
//! let ms = |ms| Timer::new(Duration::from_millis(ms));
//! RunLoop::new([Join::new(ms(10), ms(20))]).run(); // 20 ms
//! RunLoop::new([AndThen::new(ms(10), ms(20))]).run(); // 30 ms
//! RunLoop::new([Race::new(ms(10), ms(20))]).run(); // 10 ms
//! ```
//!
//! Read in this order:
//!
//! 1. `join.rs`: [`Join`], which has two children, and `and_then.rs`: [`AndThen`], which has two children too.
//! 2. `child.rs`: a child, which is first a future and then its output.
//! 3. `timer.rs`: [`Timer`], a future to wait for.
//! 4. `race.rs`: [`Race`], and what becomes of the loser.
//! 5. `traced.rs`: [`Traced`] notes which future was polled when.
//!
//! Carried from stage 01: `simple_future.rs`, `run_loop.rs`.
//!
//! What this stage cannot do: `.await`. These futures follow a trait of our own, which no library knows.
//!
//! After the document *Future and scheduling* (000): its `Join` and its "serial" composition. `Race` is ours.

/// Files of earlier stages, byte for byte.
mod carried {
    pub(crate) mod run_loop;
    pub(crate) mod simple_future;
}

mod and_then;
mod child;
mod join;
mod race;
mod timer;
mod traced;

pub use and_then::AndThen;
pub use carried::{
    run_loop::{RunLoop, wake},
    simple_future::{Poll, SimpleFuture},
};
pub use join::Join;
pub use race::{Either, Race};
pub use timer::Timer;
pub use traced::{Trace, Traced};

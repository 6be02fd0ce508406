//! # Stage 02: join
//!
//! A future may be made of futures. Whoever polls it knows nothing of that: the outer future passes the poll on
//! to its children, and the `wake` with it.
//!
//! [`Join`] runs two futures side by side, [`AndThen`] one after the other. The whole difference is *when the
//! second one is first polled*, because a future does nothing before that.
//!
//! ```
//! use step02_join::{AndThen, Join, RunLoop, Timer};
//! use std::time::Duration;
//!
//! let ms = |ms| Timer::new(Duration::from_millis(ms));
//! RunLoop::new([Join::new(ms(20), ms(20))]).run(); // 20 ms
//! RunLoop::new([AndThen::new(ms(20), ms(20))]).run(); // 40 ms
//! ```
//!
//! Read in this order:
//!
//! 1. `timer.rs`: [`Timer`], something to wait for.
//! 2. `child.rs`: a future, and then its output.
//! 3. `join.rs`: [`Join`], and `and_then.rs`: [`AndThen`]. Two children each.
//! 4. `traced.rs`: [`Traced`] writes down who was polled when.
//!
//! Carried from stage 01: `simple_future.rs`, `run_loop.rs`.
//!
//! What this stage cannot do: `.await`. These futures follow a trait of our own, which no library knows.
//!
//! After the document *Future and scheduling* (000): its `Join` and its "serial" composition.

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod run_loop;
    pub(crate) mod simple_future;
}

mod and_then;
mod child;
mod join;
mod timer;
mod traced;

pub use and_then::AndThen;
pub use carried::{
    run_loop::{RunLoop, wake},
    simple_future::{Poll, SimpleFuture},
};
pub use join::Join;
pub use timer::Timer;
pub use traced::{Trace, Traced};

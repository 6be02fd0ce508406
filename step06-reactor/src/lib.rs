//! # Stage 06: a reactor
//!
//! Until now each timer brought its own thread. A *reactor* is one thread that waits on behalf of all futures. A
//! future leaves its waker with the reactor and tells it what to wait for; the reactor waits, finds the waker,
//! and calls it. The executor knows nothing of the reactor, nor the other way round: the waker is all that they
//! share.
//!
//! ```
//! use futures::{executor::block_on, try_join};
//! use std::time::Duration;
//! use step06_reactor::{Reactor, Timer};
//!
//! let reactor = Reactor::new();
//! let nap = || Timer::new(&reactor, Duration::from_millis(5));
//! block_on(async { try_join!(nap(), nap()) })?;
//! # Ok::<(), step06_reactor::TimerError>(())
//! ```
//!
//! Read in this order:
//!
//! 1. `timers.rs`: [`Timers`], the map from a timer to its waker.
//! 2. `driver.rs`: [`Event`], what the reactor's thread is told.
//! 3. `driver/v1_thread_per_timer.rs`: [version 1](driver::v1_thread_per_timer) starts a thread for each timer.
//! 4. `driver/v2_one_thread.rs`: [version 2](driver::v2_one_thread) keeps all deadlines in a heap, and sleeps until
//!    the first.
//! 5. `reactor.rs`: [`Reactor`], the handle.
//! 6. `timer.rs`: [`Timer`], the future.
//!
//! Carried from stage 03: `polls.rs`, `sync.rs`. Carried from stage 01: `contain.rs`.
//!
//! What this stage cannot do: run tasks. No stage depends on another, so this one borrows
//! `futures::executor::block_on`; your own of stages 04 and 05 would do as well.
//!
//! After the document *Parker and Reactor* (003: `Reactor`, `Event`, `TaskState`, and its open question: how do
//! two timers take two seconds, and not three?).

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod polls;
    pub(crate) mod sync;
}

pub mod driver;
mod reactor;
mod timer;
mod timers;

pub use carried::polls::Polls;
use carried::{contain, sync};
pub use driver::Event;
pub use reactor::Reactor;
pub use timer::Timer;
pub use timers::{Id, TimerError, Timers};

//! # Stage 06: a reactor
//!
//! Until now each timer started a thread of its own. A *reactor* waits on behalf of futures, and this one needs a single
//! thread for all timers. A future leaves its waker with the reactor and says what it waits for. The reactor waits, and
//! calls the waker. The executor and the reactor do not know each other, because the waker is all that they share.
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
//! Read `driver/v2_one_thread.rs` first, which is that idea in one function. Then in this order:
//!
//! 1. `timers.rs`: [`Timers`], the map from a timer to its waker.
//! 2. `driver.rs`: [`Event`], the messages to the reactor's thread.
//! 3. `driver/v1_thread_per_timer.rs`: [version 1](driver::v1_thread_per_timer) starts a thread for each timer.
//! 4. `deadlines.rs`: [`Deadlines`], a heap with the earliest deadline on top.
//! 5. `driver/v2_one_thread.rs`: [version 2](driver::v2_one_thread) sleeps until the earliest deadline.
//! 6. `timer.rs`: [`Timer`], the future.
//! 7. `reactor.rs` and `threads.rs`: [`Reactor`], the handle, and the threads that it has started.
//! 8. `timeout.rs`: [`timeout`], which gives any future a time limit.
//! 9. `read_line.rs`: [`read_line`], which loses bytes when a timeout cancels it, and [`read_line_into`], which does
//!    not.
//!
//! Carried from stage 03: `polls.rs`, `sync.rs`. Carried from stage 01: `contain.rs`.
//!
//! What this stage cannot do: run tasks. No stage depends on another, so this one borrows
//! `futures::executor::block_on`; your own executors of stages 04 and 05 would work too.
//!
//! After the document *Parker and Reactor* (003: `Reactor`, `Event`, `TaskState`, and its last claim: with a stronger executor,
//! two timers, of one second and of two, would take two seconds rather than three).

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod polls;
    pub(crate) mod sync;
}

mod deadlines;
pub mod driver;
mod reactor;
mod read_line;
mod threads;
mod timeout;
mod timer;
mod timers;

pub use carried::polls::Polls;
use carried::{contain, sync};
pub use deadlines::Deadlines;
pub use driver::Event;
pub use reactor::Reactor;
pub use read_line::{read_line, read_line_into};
pub use timeout::{Timeout, timeout};
pub use timer::Timer;
pub use timers::{Id, TimerError, Timers};

//! Instruments that watch futures and executors from outside, on the standard interfaces alone, for tests that count polls
//! and wakes or that may hang.
//!
//! An executor talks to a future through `poll`, and hears from it through a `Waker`. These instruments are between the two
//! and see all that passes, so neither the executor nor the future needs a line added for them.
//!
//! - **Count**: [`Counted`] counts polls and drops, [`CountingWaker`] clones and wakes, [`Tasks`]
//!   how many futures exist. [`threads`], [`cpu_time()`], [`thread_cpu_time`] and
//!   [`thread_switches`] say what they cost.
//! - **Provoke**: a [`hostile`] waker comes back to what keeps it, blocks or panics while it is
//!   cloned, woken or dropped. [`in_gap`] does what another thread might do between two locks.
//! - **Explain a hang**: [`within`] ends the process when a closure takes too long, and says what
//!   each future that is [`watch`]ed did, what that means, what to look at and what to read.
//!   [`Mutex`] adds who holds a lock.
//! - **Isolate**: [`alone`] runs a test in a process of its own.
//! - **Record**: [`record`] takes the run of watched futures down, event by event, as JSON.
//!
//! ```
//! use probe::{CountingWaker, watch, within};
//! use std::{pin::pin, task::Context, time::Duration};
//!
//! let counting = CountingWaker::new();
//! within(Duration::from_secs(2), || {
//!     let mut future = pin!(watch("seven", async { 7 }));
//!     let waker = counting.waker();
//!     assert!(future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
//! });
//! assert_eq!((counting.wakes(), counting.live()), (0, 0));
//! ```
//!
//! `cargo run -p probe -- not-woken` shows what the watchdog says to a mistake; without a name, it
//! lists the mistakes.
//!
//! To read on:
//!
//! 1. `counted.rs` and `gauge.rs` count futures. `raw_waker.rs` is the waker that can be observed; `counting_waker.rs` and
//!    `hostile.rs` observe it.
//! 2. `watch.rs` stands between the executor and a future, and notes each event (`event.rs`) in its `task.rs`. That one
//!    adds up `facts.rs`, and passes the event on to each `recorder.rs`, which makes a `recording.rs`.
//! 3. `scope.rs` says who watches the code that runs here: each call of `within.rs` and of `record.rs`.
//! 4. When the time is up, `diagnosis.rs` finds in the facts what is wrong and `words.rs` says it. `report.rs` is the whole
//!    message, with a `patient.rs` for each task. `mutex.rs` and `place.rs` know which thread waits, and for what.
//! 5. `gap.rs` knows when a thread holds no lock. `condvar.rs` and `thread.rs` count its
//!    sleeps.

mod alone;
mod calls;
mod chapters;
mod condvar;
mod counted;
mod counting_waker;
mod diagnosis;
mod event;
mod facts;
mod frames;
mod gap;
mod gauge;
pub mod hostile;
mod layout;
mod mutex;
mod patient;
mod place;
mod poke;
mod raw_waker;
mod record;
mod recorder;
mod recording;
mod report;
mod scope;
pub mod sync;
mod task;
pub mod thread;
mod trace;
mod usage;
mod watch;
mod within;
mod words;

pub use alone::{alone, alone_with};
pub use condvar::Condvar;
pub use counted::{Counted, Counts};
pub use counting_waker::CountingWaker;
pub use event::What;
pub use gap::{before_sleep, in_gap, instead_of_sleep};
pub use gauge::{OnGauge, Tasks};
pub use mutex::{Mutex, MutexGuard};
pub use record::record;
pub use recorder::Recorder;
pub use recording::{Event, Named, Recording};
pub use scope::carry;
pub use usage::{cpu_time, thread_cpu_time, thread_switches, threads};
pub use watch::{Watched, watch, watched};
pub use within::{Within, report, within, within_async};

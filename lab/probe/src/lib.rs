#![doc = include_str!("../README.md")]
//!
//! # The files
//!
//! 1. `counted.rs` and `gauge.rs` count futures. `raw_waker.rs` is the waker that can be observed; `counting_waker.rs` and
//!    `hostile.rs` observe it.
//! 2. `watch.rs` stands between the executor and a future, and notes each event (`event.rs`) in its `task.rs`. That one
//!    adds up `facts.rs`, and passes the event on to each `recorder.rs`, which makes a `recording.rs`.
//! 3. `scope.rs` says who watches the code that runs here: each call of `within.rs` and of `record.rs`.
//! 4. When the time is up, `poke.rs` has what is stuck polled once more, and `frames.rs` finds the line. `diagnosis.rs` finds
//!    in the facts what is wrong; `words.rs` says it, and `calls.rs` what a pending call of a library means. `report.rs` is the
//!    whole message, with a `patient.rs` for each task. `mutex.rs`, `resource.rs` and `place.rs` know who waits for whom.
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
mod resource;
mod scope;
pub mod sync;
mod task;
pub mod thread;
#[cfg(feature = "tokio")]
pub mod tokio;
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
pub use resource::{Hold, Resource};
pub use usage::{cpu_time, thread_cpu_time, thread_switches, threads};
pub use watch::{Watched, watch, watched};
pub use within::{report, within, within_async};

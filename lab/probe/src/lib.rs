#![doc = include_str!("../README.md")]

mod alone;
mod condvar;
mod counted;
mod counting_waker;
pub mod foreign;
mod gap;
mod helpers;
pub mod hostile;
mod judge;
mod mutex;
mod record;
mod say;
mod see;
pub mod sync;
pub mod thread;
#[cfg(feature = "tokio")]
pub mod tokio;
mod usage;
mod within;

pub use alone::{alone, alone_with};
pub use condvar::Condvar;
pub use counted::{Counted, Counts};
pub use counting_waker::CountingWaker;
pub use gap::{before_sleep, in_each_gap, in_gap, instead_of_sleep};
pub use helpers::{OnDrop, poll, wait_until};
pub use mutex::{Mutex, MutexGuard};
pub use record::record;
pub use see::{
    event::What,
    recorder::Recorder,
    recording::{Event, Named, Recording},
    resource::{Hold, Resource},
    watch::{Watched, watch, watched},
};
pub use usage::{ThreadStatus, cpu_time, thread_cpu_time, thread_status, thread_statuses, threads};
pub use within::{report, within, within_async};

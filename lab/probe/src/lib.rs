//! Instruments that watch futures and executors from outside, on the standard interfaces alone.

mod counted;
mod counting_waker;
mod raw_waker;
mod usage;
mod within;

pub use counted::{Counted, Counts};
pub use counting_waker::CountingWaker;
pub use usage::{cpu_time, thread_cpu_time, threads};
pub use within::within;

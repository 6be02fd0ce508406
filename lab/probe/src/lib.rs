//! Instruments that watch futures and executors from outside, on the standard interfaces alone.

mod chapters;
mod counted;
mod counting_waker;
mod diagnosis;
mod event;
mod facts;
mod layout;
mod mutex;
mod patient;
mod place;
mod raw_waker;
mod recorder;
mod recording;
mod report;
mod scope;
mod task;
mod tasks;
mod usage;
mod watch;
mod within;
mod words;

pub use counted::{Counted, Counts};
pub use counting_waker::CountingWaker;
pub use event::What;
pub use mutex::{Mutex, MutexGuard};
pub use recorder::record;
pub use recording::{Event, Named, Recording};
pub use scope::carry;
pub use tasks::{OnGauge, Tasks};
pub use usage::{cpu_time, thread_cpu_time, threads};
pub use watch::{Watched, watch};
pub use within::within;

//! # Stage 09: epoll and the reactor

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod join_error;
    pub(crate) mod polls;
    pub(crate) mod queued;
    pub(crate) mod sync;
    pub(crate) mod task_future;
}

mod context;
mod executor;
mod interval;
mod join_handle;
pub mod net;
mod park;
mod queue;
mod reactor;
mod registered;
mod selector;
mod slab;
mod sleep;
mod source;
pub mod stdin;
mod time_driver;
mod timeout;
#[cfg(target_os = "linux")]
pub mod v1_by_hand;
#[cfg(target_os = "linux")]
pub mod v2_epoll;
pub mod v3_polling;

use carried::{contain, sync, task_future};
pub use carried::{
    join_error::JoinError,
    polls::Polls,
    queued::Queued,
    task_future::{Payload, TaskFuture},
};
pub use executor::{Handle, Runtime, block_on, spawn};
pub use interval::{Interval, interval};
pub use join_handle::JoinHandle;
pub use park::{Park, Parker};
pub use reactor::Reactor;
pub use registered::Registered;
pub use selector::{AsIo, BorrowedIo, Selector, Trigger};
pub use slab::Key;
pub use sleep::{Sleep, sleep};
pub use source::{Direction, Event};
pub use timeout::{Elapsed, Timeout, timeout};

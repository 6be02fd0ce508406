//! The runtime: an executor, its driver, and the tasks.

mod context;
mod handle;
mod join_handle;
mod park;
mod queue;
mod run;
mod runtime;
mod task;
mod tasks;

pub use context::spawn;
pub use handle::Handle;
pub use join_handle::JoinHandle;
pub use park::Park;
/// Sleeps on a condition variable.
///
/// ```
/// use std::time::Duration;
/// use step09_epoll_reactor::{Park, Parker};
///
/// let (parker, mut due) = (Parker::default(), Vec::new());
/// parker.unpark();
/// parker.park(None, &mut due);
/// parker.park(Some(Duration::from_millis(1)), &mut due);
/// assert!(due.is_empty());
/// ```
pub use park::Parker;
pub use runtime::{Runtime, block_on};

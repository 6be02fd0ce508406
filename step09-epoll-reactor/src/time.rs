//! Timers, inside the place where the executor sleeps.

pub(crate) mod driver;
mod interval;
mod sleep;
mod timeout;

use std::{sync::Arc, time::Duration};

use crate::Handle;

pub use interval::Interval;
/// Yields at regular times. Call it inside [`block_on`](crate::block_on).
///
/// ```
/// use futures::StreamExt;
/// use std::time::{Duration, Instant};
/// use step09_epoll_reactor::{block_on, interval};
///
/// let start = Instant::now();
/// block_on(async { interval(Duration::from_millis(2)).take(3).collect::<Vec<_>>().await });
/// assert!(start.elapsed() >= Duration::from_millis(6));
/// ```
pub use interval::interval;
pub use sleep::Sleep;
/// Waits for a time. Call it inside [`block_on`](crate::block_on).
///
/// ```
/// use std::time::{Duration, Instant};
/// use step09_epoll_reactor::{block_on, sleep};
///
/// let start = Instant::now();
/// block_on(async { sleep(Duration::from_millis(5)).await });
/// assert!(start.elapsed() >= Duration::from_millis(5));
/// ```
pub use sleep::sleep;
/// Waits for a future, but not for longer than a time. Call it inside [`block_on`](crate::block_on).
///
/// ```
/// use std::{future, time::Duration};
/// use step09_epoll_reactor::{Elapsed, block_on, timeout};
///
/// let limit = Duration::from_millis(5);
/// block_on(async {
///     assert_eq!(timeout(limit, future::ready(7)).await, Ok(7));
///     assert_eq!(timeout(limit, future::pending::<i32>()).await, Err(Elapsed));
/// });
/// ```
pub use timeout::timeout;
pub use timeout::{Elapsed, Timeout};

impl Handle {
    /// Waits until `duration` has passed since this call, as [`sleep`](crate::sleep()) does, on this runtime, which wakes
    /// the task that waits only during [`block_on`](crate::Runtime::block_on).
    pub fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(Arc::clone(&self.shared().driver), duration)
    }
}

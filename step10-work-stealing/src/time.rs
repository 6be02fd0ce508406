//! Timers. They wait on the runtime of the thread that made them.

use std::{sync::Arc, time::Duration};

use crate::Handle;

/// Yields at regular times.
///
/// ```
/// use futures::StreamExt;
/// use std::time::{Duration, Instant};
/// use step10_work_stealing::{Runtime, time::interval};
///
/// let start = Instant::now();
/// Runtime::new(1).block_on(async { interval(Duration::from_millis(2)).take(3).collect::<Vec<_>>().await });
/// assert!(start.elapsed() >= Duration::from_millis(6));
/// ```
pub use crate::carried::time::interval::interval;
/// Waits for a time.
///
/// ```
/// use std::time::{Duration, Instant};
/// use step10_work_stealing::{Runtime, time::sleep};
///
/// let start = Instant::now();
/// Runtime::new(1).block_on(async { sleep(Duration::from_millis(5)).await });
/// assert!(start.elapsed() >= Duration::from_millis(5));
/// ```
pub use crate::carried::time::sleep::sleep;
/// Waits for a future, but not for longer than a time.
///
/// ```
/// use std::{future, time::Duration};
/// use step10_work_stealing::{Runtime, time::{Elapsed, timeout}};
///
/// let limit = Duration::from_millis(5);
/// Runtime::new(1).block_on(async {
///     assert_eq!(timeout(limit, future::ready(7)).await, Ok(7));
///     assert_eq!(timeout(limit, future::pending::<i32>()).await, Err(Elapsed));
/// });
/// ```
pub use crate::carried::time::timeout::timeout;
pub use crate::carried::time::{
    interval::Interval,
    sleep::Sleep,
    timeout::{Elapsed, Timeout},
};

impl Handle {
    /// Waits until `duration` has passed since this call, as [`sleep`](crate::time::sleep()) does, on this runtime.
    pub fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(Arc::clone(&self.0.driver), duration)
    }
}

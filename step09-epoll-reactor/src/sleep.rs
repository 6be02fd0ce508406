//! A future that waits for time to pass.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use crate::{
    context,
    time_driver::{Id, TimeDriver},
};

/// Waits until a deadline. [`sleep`] makes it. Dropping it early forgets the deadline.
#[derive(Debug)]
// ANCHOR: struct
pub struct Sleep {
    /// `None`: so late that no clock can show it.
    deadline: Option<Instant>,
    id: Id,
    driver: Arc<TimeDriver>,
}
// ANCHOR_END: struct

/// Waits until `duration` has passed since this call.
///
/// A duration that no clock can show, such as [`Duration::MAX`], never passes.
///
/// # Panics
///
/// If the thread is not in [`block_on`](crate::block_on). The future panics if it has to wait and its runtime has been
/// dropped.
///
/// ```
/// use std::time::{Duration, Instant};
/// use step09_epoll_reactor::{block_on, sleep};
///
/// let start = Instant::now();
/// block_on(async { sleep(Duration::from_millis(5)).await });
/// assert!(start.elapsed() >= Duration::from_millis(5));
/// ```
pub fn sleep(duration: Duration) -> Sleep {
    context::current().sleep(duration)
}

impl Sleep {
    pub(crate) fn new(driver: Arc<TimeDriver>, duration: Duration) -> Sleep {
        Sleep {
            deadline: Instant::now().checked_add(duration),
            id: driver.new_id(),
            driver,
        }
    }

    /// Moves the deadline, which has passed, by so many periods that it lies after `now`.
    pub(crate) fn advance(&mut self, period: Duration, now: Instant) {
        while let Some(deadline) = self.deadline.filter(|deadline| *deadline <= now) {
            let missed = now.duration_since(deadline).as_nanos() / period.as_nanos();
            let periods = u32::try_from(missed).unwrap_or(u32::MAX - 1) + 1;
            self.deadline = period
                .checked_mul(periods)
                .and_then(|p| deadline.checked_add(p));
        }
    }
}

impl Future for Sleep {
    type Output = ();

    // ANCHOR: poll
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Some(deadline) = self.deadline else {
            return Poll::Pending;
        };
        if Instant::now() >= deadline {
            drop(self.driver.remove(deadline, self.id));
            return Poll::Ready(());
        }
        let registered = self.driver.register(deadline, self.id, cx.waker());
        assert!(registered, "the runtime of this `sleep` has been dropped");
        Poll::Pending
    }
    // ANCHOR_END: poll
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(deadline) = self.deadline {
            drop(self.driver.remove(deadline, self.id));
        }
    }
}

//! A future that waits for time to pass.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use crate::Handle;

use super::driver::{Id, TimeDriver};

/// Waits until a deadline. [`sleep`] makes it. Dropping it early forgets the deadline.
#[derive(Debug)]
pub struct Sleep {
    /// `None`: so late that no clock can show it.
    deadline: Option<Instant>,
    id: Id,
    driver: Arc<TimeDriver>,
}

/// Waits until `duration` has passed since this call.
///
/// A duration that no clock can show, such as [`Duration::MAX`], never passes.
///
/// # Panics
///
/// If there is no runtime for the calling thread. The future panics if it has to wait and its runtime has been dropped.
pub fn sleep(duration: Duration) -> Sleep {
    Handle::current().sleep(duration)
}

impl Sleep {
    pub(crate) fn new(driver: Arc<TimeDriver>, duration: Duration) -> Sleep {
        Sleep {
            deadline: Instant::now().checked_add(duration),
            id: driver.new_id(),
            driver,
        }
    }

    /// Moves the deadline, which has passed, by whole periods to the first moment after `now`.
    pub(crate) fn advance(&mut self, period: Duration, now: Instant) {
        if let Some(deadline) = self.deadline {
            let late = now.saturating_duration_since(deadline).as_nanos();
            let into_the_period = u64::try_from(late % period.as_nanos()).unwrap_or(u64::MAX);
            self.deadline = now.checked_add(period - Duration::from_nanos(into_the_period));
        }
    }
}

impl Future for Sleep {
    type Output = ();

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
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(deadline) = self.deadline {
            drop(self.driver.remove(deadline, self.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parker;

    #[test]
    fn the_next_deadline_is_whole_periods_later_and_after_now() {
        let driver = Arc::new(TimeDriver::new(Parker::default()));
        let mut sleep = Sleep::new(driver, Duration::ZERO);
        let start = Instant::now();
        let after_start = |nanoseconds| Some(start + Duration::from_nanos(nanoseconds));
        // On time, within the first period, at its end, 5 s of periods of a nanosecond, and a period of 500 years.
        let year = 31_557_600 * 1_000_000_000;
        let cases = [
            (10, 0, 10),
            (10, 9, 10),
            (10, 10, 20),
            (10, 39, 40),
            (1, 5_000_000_000, 5_000_000_001),
            (500 * year, year, 500 * year),
        ];
        for (period, now, next) in cases {
            sleep.deadline = Some(start);
            sleep.advance(Duration::from_nanos(period), after_start(now).unwrap());
            assert_eq!(sleep.deadline, after_start(next), "{period} {now}");
        }
        sleep.deadline = Some(start);
        sleep.advance(Duration::MAX, start);
        assert_eq!(sleep.deadline, None);
    }
}

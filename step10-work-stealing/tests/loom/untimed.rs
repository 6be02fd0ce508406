//! What the models need in place of timers, which stage 09 has models of. Loom knows no time, so nothing is ever due.

use std::time::Duration;

/// A timer that is never polled.
pub struct Sleep;

impl Sleep {
    pub fn new(_: std::sync::Arc<time_driver::TimeDriver>, _: Duration) -> Sleep {
        Sleep
    }
}

pub mod time_driver {
    use std::{task::Waker, time::Duration};

    use crate::Park;

    /// A driver without timers. Asked to look, it looks, and asked to sleep, it sleeps until it is unparked.
    pub struct TimeDriver(Box<dyn Park>);

    impl TimeDriver {
        pub fn new(park: impl Park + 'static) -> TimeDriver {
            TimeDriver(Box::new(park))
        }
    }

    impl Park for TimeDriver {
        fn park(&self, limit: Option<Duration>, due: &mut Vec<Waker>) {
            if limit != Some(Duration::ZERO) {
                self.0.park(None, due);
            }
        }

        fn unpark(&self) {
            self.0.unpark();
        }
    }
}

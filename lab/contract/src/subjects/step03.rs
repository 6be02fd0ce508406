//! Stage 03: a timer as a future. It has no executor.

use std::time::Duration;

use step03_timer_future::TimerFuture;

use crate::{Answer, Leaf, Subject, Task, leaf};

/// What this stage has to test.
pub const SUBJECTS: &[Subject] = &[TIMER];

/// The timer.
pub const TIMER: Subject = Subject::leaf("step03-timer", &Timer);

struct Timer;

impl Leaf for Timer {
    fn timer(&self, after: Duration) -> Answer<Task> {
        Ok(leaf(TimerFuture::new(after)))
    }
}

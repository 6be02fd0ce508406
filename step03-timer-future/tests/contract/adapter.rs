//! Puts the timer of stage 03 under the contract. The stage has no executor.

use std::time::Duration;

use contract::{Answer, BoxFuture, Leaf, Subject, leaf};
use step03_timer_future::TimerFuture;

/// What the stage has to test.
pub const SUBJECTS: [Subject; 1] = [Subject::leaf("step03-timer", &Timer)];

struct Timer;

impl Leaf for Timer {
    fn timer(&self, after: Duration) -> Answer<BoxFuture> {
        Ok(leaf(TimerFuture::new(after)))
    }
}

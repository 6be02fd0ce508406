//! One after the other: the second child is not polled until the first is finished.

use crate::{Poll, SimpleFuture, child::Child};

/// Two futures one after the other. Ready, with both outputs, once the second is finished.
///
/// Each child is dropped as soon as it is finished, and is not polled again.
///
/// ```
/// use step02_join::{AndThen, RunLoop, Timer};
/// use std::time::{Duration, Instant};
///
/// let start = Instant::now();
/// let timer = || Timer::new(Duration::from_millis(20));
/// let mut both = RunLoop::new([AndThen::new(timer(), timer())]);
/// assert_eq!(both.run(), [((), ())]);
/// assert!(start.elapsed() >= Duration::from_millis(40));
/// ```
// ANCHOR: struct
#[derive(Debug)]
pub struct AndThen<A: SimpleFuture, B: SimpleFuture> {
    first: Child<A>,
    second: Child<B>,
}
// ANCHOR_END: struct

impl<A: SimpleFuture, B: SimpleFuture> AndThen<A, B> {
    /// Takes the two futures, and polls neither of them yet.
    pub fn new(first: A, second: B) -> Self {
        AndThen {
            first: Child::Running(first),
            second: Child::Running(second),
        }
    }
}

impl<A: SimpleFuture, B: SimpleFuture> SimpleFuture for AndThen<A, B> {
    type Output = (A::Output, B::Output);

    /// # Panics
    ///
    /// If it is polled after it was ready.
    // ANCHOR: poll
    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // The poll that finishes the first child begins the second one. Without that, no
        // future would hold a `wake`, and there would be no next poll.
        if self.first.poll(wake) && self.second.poll(wake) {
            Poll::Ready((self.first.take(), self.second.take()))
        } else {
            Poll::Pending
        }
    }
    // ANCHOR_END: poll
}

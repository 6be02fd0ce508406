//! One after the other: the second is polled only once the first is finished.

use crate::{Poll, SimpleFuture, child::Child};

/// Two futures one after the other. Ready, with both outputs, when the second is finished.
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
#[derive(Debug)]
pub struct AndThen<A: SimpleFuture, B: SimpleFuture> {
    first: Child<A>,
    second: Child<B>,
}

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
        // In the very poll that finishes the first, the second begins: it is its first poll
        // that leaves a `wake` behind, and without one nobody would poll again.
        if self.first.poll(wake) && self.second.poll(wake) {
            Poll::Ready((self.first.take(), self.second.take()))
        } else {
            Poll::Pending
        }
    }
    // ANCHOR_END: poll
}

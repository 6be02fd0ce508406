//! Side by side: every poll goes to each child that is not finished.

use crate::{Poll, SimpleFuture, child::Child};

/// Two futures side by side. Ready, with both outputs, once both are finished.
///
/// Each child is dropped as soon as it is finished, and is not polled again.
///
/// ```
/// use step02_join::{Join, RunLoop, Timer};
/// use std::time::{Duration, Instant};
///
/// let start = Instant::now();
/// let timer = || Timer::new(Duration::from_millis(20));
/// let mut both = RunLoop::new([Join::new(timer(), timer())]);
/// assert_eq!(both.run(), [((), ())]);
/// assert!(start.elapsed() >= Duration::from_millis(20));
/// ```
// ANCHOR: struct
#[derive(Debug)]
pub struct Join<A: SimpleFuture, B: SimpleFuture> {
    a: Child<A>,
    b: Child<B>,
}
// ANCHOR_END: struct

impl<A: SimpleFuture, B: SimpleFuture> Join<A, B> {
    /// Takes the two futures, and polls neither of them yet.
    pub fn new(a: A, b: B) -> Self {
        Join {
            a: Child::Running(a),
            b: Child::Running(b),
        }
    }
}

impl<A: SimpleFuture, B: SimpleFuture> SimpleFuture for Join<A, B> {
    type Output = (A::Output, B::Output);

    /// # Panics
    ///
    /// If it is polled after it was ready.
    // ANCHOR: poll
    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // `Child::poll` does not poll a future that is finished already, and only returns `true`.
        let a_is_finished = self.a.poll(wake);
        let b_is_finished = self.b.poll(wake);
        if a_is_finished && b_is_finished {
            Poll::Ready((self.a.take(), self.b.take()))
        } else {
            Poll::Pending
        }
    }
    // ANCHOR_END: poll
}

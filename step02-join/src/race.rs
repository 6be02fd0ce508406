//! The first one wins: every poll goes to both, until one of them is ready.

use crate::{Poll, SimpleFuture};

/// The output of the future that won a [`Race`].
// ANCHOR: either
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Either<A, B> {
    /// The first argument of [`Race::new`] won, and this is its output.
    Left(A),
    /// The second argument won.
    Right(B),
}
// ANCHOR_END: either

/// Two futures that race. Ready, with the output of the winner, as soon as one of them is ready.
///
/// In the poll in which one is ready, both are dropped, so the loser is cancelled. If both could be ready in the same
/// poll, the first one wins, because it is polled first; the second one is then not polled.
///
/// ```
/// use step02_join::{Either, Race, RunLoop, Timer};
/// use std::time::Duration;
///
/// let [short, long] = [5, 60_000].map(|ms| Timer::new(Duration::from_millis(ms)));
/// assert_eq!(RunLoop::new([Race::new(short, long)]).run(), [Either::Left(())]);
/// ```
// ANCHOR: struct
#[derive(Debug)]
pub struct Race<A, B> {
    /// `None` once one has won, and both are dropped.
    racing: Option<(A, B)>,
}
// ANCHOR_END: struct

impl<A: SimpleFuture, B: SimpleFuture> Race<A, B> {
    /// Takes the two futures, and polls neither of them yet.
    pub fn new(a: A, b: B) -> Self {
        Race {
            racing: Some((a, b)),
        }
    }
}

impl<A: SimpleFuture, B: SimpleFuture> SimpleFuture for Race<A, B> {
    type Output = Either<A::Output, B::Output>;

    /// # Panics
    ///
    /// If it is polled after it was ready.
    // ANCHOR: poll
    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        let Some((a, b)) = &mut self.racing else {
            panic!("polled after it was ready");
        };
        let winner = if let Poll::Ready(output) = a.poll(wake) {
            Either::Left(output)
        } else if let Poll::Ready(output) = b.poll(wake) {
            Either::Right(output)
        } else {
            return Poll::Pending;
        };
        self.racing = None; // drops both, and dropping the loser cancels it
        Poll::Ready(winner)
    }
    // ANCHOR_END: poll
}

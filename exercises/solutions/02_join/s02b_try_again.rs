//! s02b, solved: Pending is what the attempt says that has the `wake`.

use step02_join::{Poll, SimpleFuture};

/// Attempts, one after the other, until one succeeds.
struct TryAgain<F, M> {
    /// Makes an attempt.
    make: M,
    running: Option<F>,
    /// How many more attempts may be made.
    left: usize,
}

impl<T, E, F, M> SimpleFuture for TryAgain<F, M>
where
    F: SimpleFuture<Output = Result<T, E>>,
    M: FnMut() -> F,
{
    /// That of the attempt that succeeded, or else of the last one.
    type Output = Result<T, E>;

    fn poll(&mut self, wake: fn()) -> Poll<Result<T, E>> {
        loop {
            let attempt = self.running.get_or_insert_with(&mut self.make);
            match attempt.poll(wake) {
                Poll::Ready(Err(_)) if self.left > 0 => {
                    self.left -= 1;
                    // The next one is made and polled at once, so that it gets the `wake`.
                    self.running = None;
                }
                answer => return answer,
            }
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s02b_try_again.rs"]
mod tests;

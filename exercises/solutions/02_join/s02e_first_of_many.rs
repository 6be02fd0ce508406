//! s02e, solved: the poll that finds the winner also drops the losers, and no later poll waits for them.

use step02_join::{Poll, SimpleFuture};

/// The first of these to be ready wins. Empty once the race is over.
struct FirstOf<F> {
    racing: Vec<F>,
}

impl<F: SimpleFuture> SimpleFuture for FirstOf<F> {
    type Output = F::Output;

    fn poll(&mut self, wake: fn()) -> Poll<F::Output> {
        assert!(!self.racing.is_empty(), "polled with no runner left");
        for runner in &mut self.racing {
            if let Poll::Ready(output) = runner.poll(wake) {
                // Drops the winner, which is finished, and the losers, which cancels them.
                self.racing.clear();
                return Poll::Ready(output);
            }
        }
        Poll::Pending
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s02e_first_of_many.rs"]
mod tests;

//! s02e · complete · 12 minutes · chapter 02, "Two futures at once"
//!
//! `Race` of stage 02 has two futures. Write the `poll` of a race of any number of runners, which all have the same
//! type. The race is ready with the output of the winner, and in that same poll it drops all runners, because dropping a
//! future is how it is cancelled. If several runners could be ready in the same poll, the one that comes first in the
//! `Vec` wins, and the runners after it are not polled.
//!
//! Once the race is over, or if it has no runners from the start, no runner is left that could call `wake`. So polling it
//! then must not return Pending. Panic instead, as `Race` does.
//!
//! Run: `cargo test --bin s02e_first_of_many`
//! Red: which runners each poll should reach and which it did reach, how many losers were not dropped, or
//! what a race without runners returned.

use step02_join::{Poll, SimpleFuture};

/// The first of these to be ready wins. Empty once the race is over.
struct FirstOf<F> {
    racing: Vec<F>,
}

impl<F: SimpleFuture> SimpleFuture for FirstOf<F> {
    type Output = F::Output;

    fn poll(&mut self, wake: fn()) -> Poll<F::Output> {
        // TODO: panic if there are no runners. Otherwise poll them. When one of them is ready, drop them all and return
        // its output.
        Poll::Pending
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s02e_first_of_many.rs"]
mod tests;

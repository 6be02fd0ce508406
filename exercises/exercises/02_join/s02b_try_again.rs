//! s02b · repair · 12 minutes · chapter 02, "Two futures at once"
//!
//! `TryAgain` runs an attempt, for example to reach a server. If it fails, a new attempt is made, up to a limit. Its author
//! has noticed that the program hangs without the line `wake();`, and that it works with it. A future may wake itself, to
//! let other futures run first (chapter 01, question 2). But then each failed attempt costs a round of the run loop in
//! which *every* future is polled, and here nothing is gained by that, because the next attempt could begin at once.
//!
//! Repair `poll`: it must not call `wake`, and it must not hang either. When `poll` returns Pending, which future has the
//! `wake`? The next attempt is made in the same poll in which the previous one has failed. (The price: while attempts fail
//! one after the other, no other future is polled. The limit keeps that short.) A finished attempt must not be polled again.
//!
//! Run: `cargo test --bin s02b_try_again`
//! Red: what each attempt did in a poll of `TryAgain`, and what is wrong with that.

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
        let attempt = self.running.get_or_insert_with(&mut self.make);
        match attempt.poll(wake) {
            Poll::Ready(Err(_)) if self.left > 0 => {
                self.left -= 1;
                self.running = None;
                // TODO: what is gained by this? And why does it hang without?
                wake();
                Poll::Pending
            }
            answer => answer,
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s02b_try_again.rs"]
mod tests;

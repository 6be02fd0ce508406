//! s02b · repair · 12 minutes · chapter 02, "Two futures at once"
//!
//! A future that was ready must not be polled again. An `async` block, for example, panics then. *Executor-2* polls a
//! finished future when it is woken twice (D12), and this join makes the same mistake with its children. Repair `poll`.
//!
//! Run: `cargo test --bin s02b_finished_is_finished`
//! Red: which child was finished, and was polled again.

use step02_join::{Poll, SimpleFuture};

/// Two futures side by side. An output is `None` until its future is finished.
struct Both<A: SimpleFuture, B: SimpleFuture> {
    a: A,
    b: B,
    a_output: Option<A::Output>,
    b_output: Option<B::Output>,
}

impl<A: SimpleFuture, B: SimpleFuture> SimpleFuture for Both<A, B> {
    type Output = (A::Output, B::Output);

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // TODO: do not poll a child that is finished.
        if let Poll::Ready(output) = self.a.poll(wake) {
            self.a_output = Some(output);
        }
        if let Poll::Ready(output) = self.b.poll(wake) {
            self.b_output = Some(output);
        }
        match (self.a_output.take(), self.b_output.take()) {
            (Some(a), Some(b)) => Poll::Ready((a, b)),
            (a, b) => {
                (self.a_output, self.b_output) = (a, b);
                Poll::Pending
            }
        }
    }
}

fn main() {}

// The tests that this file must pass. Read them, but do not change them.
#[cfg(test)]
#[path = "../../checks/s02b_finished_is_finished.rs"]
mod tests;

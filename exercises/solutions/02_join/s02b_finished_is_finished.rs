//! s02b, solved: if the output is there, the child is finished.

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
        // The output itself is the flag. (Stage 02 goes further, because its `Child` drops the finished future as well.)
        if self.a_output.is_none() {
            if let Poll::Ready(output) = self.a.poll(wake) {
                self.a_output = Some(output);
            }
        }
        if self.b_output.is_none() {
            if let Poll::Ready(output) = self.b.poll(wake) {
                self.b_output = Some(output);
            }
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

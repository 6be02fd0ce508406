//! s02a · complete · 12 minutes · chapter 02, "Two futures at once"
//!
//! `Join` of stage 02 runs two futures side by side. Write the `poll` of a join of three. It is ready once all three
//! children are finished, with all three outputs.
//!
//! `Child`, below, is a short form of the type in `step02-join/src/child.rs`. Its `poll` returns whether the child is
//! finished *now*, and does not poll a finished child again. Its `take` returns the output of a finished child.
//!
//! Run: `cargo test --bin s02a_join_three`
//! Red: which children each poll of the join should reach, and which it did reach.

use step02_join::{Poll, SimpleFuture};

struct Join3<A: SimpleFuture, B: SimpleFuture, C: SimpleFuture> {
    a: Child<A>,
    b: Child<B>,
    c: Child<C>,
}

impl<A: SimpleFuture, B: SimpleFuture, C: SimpleFuture> SimpleFuture for Join3<A, B, C> {
    type Output = (A::Output, B::Output, C::Output);

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // TODO: poll the children, and return the three outputs once all children are finished.
        Poll::Pending
    }
}

enum Child<F: SimpleFuture> {
    Running(F),
    Finished(F::Output),
    Taken,
}

impl<F: SimpleFuture> Child<F> {
    /// Polls the future unless it is finished already. Returns whether it is finished now.
    fn poll(&mut self, wake: fn()) -> bool {
        if let Child::Running(future) = self {
            if let Poll::Ready(output) = future.poll(wake) {
                *self = Child::Finished(output);
            }
        }
        matches!(self, Child::Finished(_))
    }

    /// The output of a finished child.
    fn take(&mut self) -> F::Output {
        match std::mem::replace(self, Child::Taken) {
            Child::Finished(output) => output,
            _ => {
                panic!("`take` was called on a child that is not finished, so it has no output yet")
            }
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s02a_join_three.rs"]
mod tests;

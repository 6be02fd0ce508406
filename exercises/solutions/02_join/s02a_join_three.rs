//! s02a, solved: poll all first, decide afterwards.

use step02_join::{Poll, SimpleFuture};

struct Join3<A: SimpleFuture, B: SimpleFuture, C: SimpleFuture> {
    a: Child<A>,
    b: Child<B>,
    c: Child<C>,
}

impl<A: SimpleFuture, B: SimpleFuture, C: SimpleFuture> SimpleFuture for Join3<A, B, C> {
    type Output = (A::Output, B::Output, C::Output);

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // Three statements, because `a.poll() && b.poll() && c.poll()` would stop at the first pending child.
        let a = self.a.poll(wake);
        let b = self.b.poll(wake);
        let c = self.c.poll(wake);
        if a && b && c {
            Poll::Ready((self.a.take(), self.b.take(), self.c.take()))
        } else {
            // Each pending child has the `wake` now, and will call it, which keeps this promise.
            Poll::Pending
        }
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

use step02_join::{Poll, SimpleFuture};

struct Join3<A: SimpleFuture, B: SimpleFuture, C: SimpleFuture> {
    a: Child<A>,
    b: Child<B>,
    c: Child<C>,
}

impl<A: SimpleFuture, B: SimpleFuture, C: SimpleFuture> SimpleFuture for Join3<A, B, C> {
    type Output = (A::Output, B::Output, C::Output);

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // Three lines, and not `a.poll() && b.poll() && c.poll()`: that would stop at the first child that is pending.
        let a = self.a.poll(wake);
        let b = self.b.poll(wake);
        let c = self.c.poll(wake);
        // ANCHOR: slip
        if a || b || c {
            // ANCHOR_END: slip
            Poll::Ready((self.a.take(), self.b.take(), self.c.take()))
        } else {
            // Each child that is pending has the wake now, so this promise is kept by whichever is first.
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
    /// Polls the future unless it is finished. Returns whether it is finished now.
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
            _ => panic!(
                "`take` was called on a child that is not finished: it has no output to give"
            ),
        }
    }
}

fn main() {}

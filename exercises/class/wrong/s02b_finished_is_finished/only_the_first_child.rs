use step02_join::{Poll, SimpleFuture};

/// Two futures side by side. `None`: that output is not there yet.
struct Both<A: SimpleFuture, B: SimpleFuture> {
    a: A,
    b: B,
    a_output: Option<A::Output>,
    b_output: Option<B::Output>,
}

impl<A: SimpleFuture, B: SimpleFuture> SimpleFuture for Both<A, B> {
    type Output = (A::Output, B::Output);

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // ANCHOR: slip
        if self.a_output.is_none() {
            if let Poll::Ready(output) = self.a.poll(wake) {
                self.a_output = Some(output);
            }
        }
        // ANCHOR_END: slip
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

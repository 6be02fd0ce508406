use step01_simple_future::{Poll, SimpleFuture};

/// How often it will still answer "not yet".
struct Countdown(u32);

impl SimpleFuture for Countdown {
    type Output = &'static str;

    fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
        if self.0 == 0 {
            return Poll::Ready("liftoff");
        }
        self.0 -= 1;
        // ANCHOR: slip
        Poll::Pending
        // ANCHOR_END: slip
    }
}

fn main() {}

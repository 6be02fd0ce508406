use step01_simple_future::{Poll, SimpleFuture};

/// How often it will still answer "not yet".
struct Countdown(u32);

impl SimpleFuture for Countdown {
    type Output = &'static str;

    fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
        // ANCHOR: slip
        while self.0 > 0 {
            self.0 -= 1;
            wake();
        }
        Poll::Ready("liftoff")
        // ANCHOR_END: slip
    }
}

fn main() {}

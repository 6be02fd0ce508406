//! s01a, solved: a future that asks for its own next poll.

use step01_simple_future::{Poll, SimpleFuture};

/// How many more times it will be pending.
struct Countdown(u32);

impl SimpleFuture for Countdown {
    type Output = &'static str;

    fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
        if self.0 == 0 {
            return Poll::Ready("liftoff");
        }
        self.0 -= 1;
        // Keeps the promise that comes with `Pending`. Without it, there would be no next poll.
        wake();
        Poll::Pending
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s01a_countdown.rs"]
mod tests;

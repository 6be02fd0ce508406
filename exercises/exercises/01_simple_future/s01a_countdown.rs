//! s01a · complete · 10 minutes · chapter 01, "A future by hand"
//!
//! Red is normal: this exercise fails until you have written `poll`, and each exercise after it starts out failing too.
//!
//! `Countdown(3)` is pending at its first three polls, and at the fourth it is ready with `"liftoff"`. It does not wait
//! for anything outside itself, so no other code will ever call `wake` for it. Even so, each `Pending` is a promise, which
//! your future has to keep.
//!
//! Run: `cargo test --bin s01a_countdown`, or save this file while `rustlings` runs.
//! Red: the test names the poll, what that poll should have returned, and what it did return.

use step01_simple_future::{Poll, SimpleFuture};

/// How many more times it will be pending.
struct Countdown(u32);

impl SimpleFuture for Countdown {
    type Output = &'static str;

    fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
        // TODO: count down and return Pending, or be ready.
        Poll::Pending
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s01a_countdown.rs"]
mod tests;

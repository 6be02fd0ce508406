//! s07a · repair · 15 minutes · chapter 07, "A small tokio"
//!
//! The second `Delay` of *Async in depth* (004) starts a thread in *every* poll before its time (D43). A delay that is
//! alone in its task is polled twice, so nothing seems wrong. But twenty, joined in one task, start 210 threads.
//!
//! Fix `Delay` so that its first poll starts the only thread. The delay may be polled often and by different tasks, and the
//! time may come at any moment, even in the middle of a poll. Then the task that polled last must be woken.
//!
//! Its clock, `Time`, stands still until a test moves it, so that the tests can choose that moment. It is complete, in
//! `given/s07a_one_thread_for_a_delay.rs`. You need only two of its methods, `now` and `sleep_until`.
//!
//! Run: `cargo test --bin s07a_one_thread_for_a_delay`, or save this file while `rustlings` runs.
//! Red: a test says how many threads were started, or which waker was not called.

#[path = "../../given/s07a_one_thread_for_a_delay.rs"]
mod given;

use given::*;
use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
};

/// Ready once the clock shows `when`.
struct Delay {
    when: u64,
    time: Time,
}

impl Delay {
    fn until(when: u64, time: &Time) -> Delay {
        Delay {
            when,
            time: time.clone(),
        }
    }
}

impl Future for Delay {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.time.now() >= self.when {
            return Poll::Ready(());
        }
        // TODO: the next poll that comes too early starts another thread.
        let waker = cx.waker().clone();
        self.time.sleep_until(self.when, move || waker.wake());
        Poll::Pending
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s07a_one_thread_for_a_delay.rs"]
mod tests;

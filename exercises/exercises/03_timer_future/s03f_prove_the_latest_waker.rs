//! s03f · prove · 15 minutes · chapter 03, "A timer as a future"
//!
//! In s03b you repaired a future that kept an old waker. Now write the test that finds this mistake. It must fail on
//! three broken versions: one keeps the waker of its first poll, one drops its waker at the second poll, one never wakes.
//! And it must accept two good versions. Both wake the task that polled last, and one of them wakes the earlier task too,
//! which the contract allows.
//!
//! You write the body of `test_bell`. `CountingWaker::new()` is a task as far as wakers go: `poll` polls with its waker,
//! and `wakes()` says how often it was woken.
//!
//! Run: `cargo test --bin s03f_prove_the_latest_waker`
//! Red: which broken version your test accepted, or which good version it refused.

use probe::CountingWaker;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A future that is ready once it has been rung.
trait Bell: Future<Output = ()> + Unpin {
    fn ring(&self);
}

/// Polls the bell with a waker that counts for `task`.
fn poll(bell: &mut impl Bell, task: &CountingWaker) -> Poll<()> {
    Pin::new(bell).poll(&mut Context::from_waker(&task.waker()))
}

fn test_bell(mut bell: impl Bell) {
    let task = CountingWaker::new();
    // TODO: `poll(&mut bell, &task)`, `bell.ring()` and `task.wakes()` are what you need. How many tasks?
}

fn main() {}

// The tests that this file must pass. Read them, but do not change them.
#[cfg(test)]
#[path = "../../checks/s03f_prove_the_latest_waker.rs"]
mod tests;

//! s07d · prove · 15 minutes · chapter 07, "A small tokio"
//!
//! In s03b you repaired a future that kept an old waker. Here you test *whose* waker is called, and *when*. *Async in depth*
//! (004) has a sample of a future that moves from one task to another. It proves nothing, because its stub never wakes and the program ends first (D49). The
//! function `check` below is that sample. Turn it into a test.
//!
//! `check` gets a future that has not been polled yet, and a function `event`, which causes the event that the future waits
//! for. It must panic if the event does not wake the task that polled last. A wake that came before the event does not count.
//! It must also panic if the future is not ready after the event. It must not panic for a correct future.
//!
//! Run: `cargo test --bin s07d_catch_the_mover`, or save this file while `rustlings` runs.
//! Red: a test says which future your check did not catch, or that it refused a correct one.

use probe::CountingWaker;
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

type BoxedFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Panics if this future does not survive a move from one task to another.
fn check(mut future: BoxedFuture, event: impl FnOnce()) {
    let (first, second) = (CountingWaker::new(), CountingWaker::new());
    assert!(poll_in(&first, &mut future).is_pending());
    assert!(poll_in(&second, &mut future).is_pending());
    // TODO: as printed, this is all. The event has not happened yet.
    let _ = event;
}

/// Polls the future in the task that this waker wakes.
fn poll_in(task: &CountingWaker, future: &mut BoxedFuture) -> Poll<()> {
    future
        .as_mut()
        .poll(&mut Context::from_waker(&task.waker()))
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s07d_catch_the_mover.rs"]
mod tests;

//! s07d · prove · 15 minutes · chapter 07, "A small tokio"
//!
//! In s03f you asked *whose* waker is woken. Here you also ask *when*. *Async in depth* (004) has a sample for a future
//! that moves from one task to another. It proves nothing: its stub never wakes, and the program ends first (D49).
//! `check` here is that sample. Make a test of it.
//!
//! It is given a future that was never polled, and `event`, which makes happen what the future waits for. It has to
//! panic if the event does not wake the task that polled last (a wake that came before the event is none), or if the
//! future is not ready then. It must let a good one pass.
//!
//! Run: `cargo test --bin s07d_catch_the_mover`, or save this file while `rustlings` runs.
//! Red: a test says which future your check did not catch, or that it refused a good one.

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
    // ANCHOR: slip
    assert_eq!((first.live(), second.live()), (0, 1));
    // ANCHOR_END: slip
    let before = second.wakes();
    event();
    assert!(second.wakes() > before);
    assert!(poll_in(&second, &mut future).is_ready());
}

/// Polls the future in the task that this waker wakes.
fn poll_in(task: &CountingWaker, future: &mut BoxedFuture) -> Poll<()> {
    future
        .as_mut()
        .poll(&mut Context::from_waker(&task.waker()))
}

fn main() {}

//! Version 1: whenever it is asked too early, it asks to be asked again. The executor never sleeps.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

/// Ready, with `"done"`, once `when` has come.
#[derive(Debug)]
pub struct Delay {
    when: Instant,
}

impl Delay {
    /// Waits until `when`, as soon as it is polled.
    pub fn until(when: Instant) -> Delay {
        Delay { when }
    }
}

impl Future for Delay {
    type Output = &'static str;

    // ANCHOR: poll
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
        if Instant::now() >= self.when {
            println!("Hello world");
            return Poll::Ready("done");
        }
        // Keeps the promise that a wake will come. It is not a useful one.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
    // ANCHOR_END: poll
}

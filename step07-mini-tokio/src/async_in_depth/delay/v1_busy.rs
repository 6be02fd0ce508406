//! Version 1: a poll that comes too early wakes its own task, so the executor never sleeps.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

/// Ready with `"done"` once `when` has passed. Busy until then.
#[derive(Debug)]
pub struct Delay {
    when: Instant,
}

impl Delay {
    /// Creates a delay that is ready once `when` has passed.
    pub fn until(when: Instant) -> Delay {
        Delay { when }
    }
}

impl Future for Delay {
    type Output = &'static str;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
        if Instant::now() >= self.when {
            println!("      Hello world");
            return Poll::Ready("done");
        }
        // `Pending` promises a wake. This one comes at once, although nothing has changed.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

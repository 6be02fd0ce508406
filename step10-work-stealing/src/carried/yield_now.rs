//! Going to the back of the queue.

use std::{future::poll_fn, mem, task::Poll};

/// Lets the other tasks in the queue have a turn first.
pub async fn yield_now() {
    let mut yielded = false;
    poll_fn(|cx| {
        if mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await
}

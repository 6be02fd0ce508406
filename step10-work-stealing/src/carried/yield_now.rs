//! Going to the back of the queue.

use std::{future::poll_fn, mem, task::Poll};

/// Lets the other tasks in the queue have a turn first.
///
/// ```
/// use step08_join_handle::{Runtime, yield_now};
///
/// Runtime::new(1).block_on(async { yield_now().await });
/// ```
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

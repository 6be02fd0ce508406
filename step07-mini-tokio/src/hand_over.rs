//! A future may begin in one task and end in another.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
};

/// Polls `future` once in the task that runs this, and returns it. Ready at once. The future must be [`Unpin`]: it is
/// moved after it has been polled.
///
/// The waker that the future has seen is then this task's. Whoever awaits it from now on must be woken instead, and
/// so a future has to keep the waker of its *latest* poll.
///
/// # Panics
///
/// If the future is ready at its first poll, and there is nothing left to hand over.
// ANCHOR: hand_over
pub async fn hand_over<F: Future + Unpin>(future: F) -> F {
    let mut future = Some(future);
    poll_fn(move |cx| {
        let mut polled = future.take().expect("this is polled once");
        assert!(
            Pin::new(&mut polled).poll(cx).is_pending(),
            "there is nothing left to hand over"
        );
        Poll::Ready(polled)
    })
    .await
}
// ANCHOR_END: hand_over

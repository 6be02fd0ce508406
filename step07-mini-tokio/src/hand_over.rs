//! A future may be polled first by one task and then by another.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
};

/// Polls `future` once with the waker of the calling task, and returns the future.
///
/// It never waits. The future must be [`Unpin`], because it is moved after it has been polled. It has then stored the
/// calling task's waker, so if another task awaits it from now on, it must replace that waker at its next poll.
///
/// # Panics
///
/// If the future is ready at its first poll, because then there is nothing left to hand over.
///
/// ```
/// use futures::{channel::oneshot, executor::block_on};
/// use step07_mini_tokio::hand_over;
///
/// let (sender, receiver) = oneshot::channel();
/// let polled_once = block_on(hand_over(receiver));
/// sender.send("data").unwrap();
/// assert_eq!(block_on(polled_once), Ok("data"));
/// ```
// ANCHOR: hand_over
pub async fn hand_over<F: Future + Unpin>(future: F) -> F {
    let mut future = Some(future);
    poll_fn(move |cx| {
        let mut polled = future.take().expect("ready at its first poll");
        assert!(
            Pin::new(&mut polled).poll(cx).is_pending(),
            "there is nothing left to hand over"
        );
        Poll::Ready(polled)
    })
    .await
}
// ANCHOR_END: hand_over

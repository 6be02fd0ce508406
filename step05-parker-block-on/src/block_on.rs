//! The smallest executor: one future, one thread.

use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use crate::Parker;

/// Runs a future to its end on this thread, which sleeps while there is nothing to do.
///
/// May be called inside a future that is itself being run by `block_on`. The inner call blocks the outer future,
/// but takes no wake away from it.
///
/// ```
/// use step05_parker_block_on::block_on;
///
/// assert_eq!(block_on(async { 6 * 7 }), 42);
/// assert_eq!(block_on(async { block_on(async { 6 }) * 7 }), 42);
/// ```
pub fn block_on<F: Future>(future: F) -> F::Output {
    block_on_with(Waker::from, future)
}

/// [`block_on`] with a waker of your choice: [`Waker::from`], or
/// [`waker::v1_by_hand::waker`](crate::waker::v1_by_hand::waker).
// ANCHOR: block_on
pub fn block_on_with<F: Future>(waker_for: fn(Arc<Parker>) -> Waker, future: F) -> F::Output {
    // One for each call, not one for each thread: a wake for this future is then a wake for
    // no other.
    let parker = Arc::new(Parker::default());
    let waker = waker_for(Arc::clone(&parker));
    let mut cx = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut cx) {
            Poll::Ready(output) => return output,
            Poll::Pending => parker.park(),
        }
    }
}
// ANCHOR_END: block_on

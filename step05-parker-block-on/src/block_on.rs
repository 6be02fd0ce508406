//! The smallest executor: one future on one thread.

use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use crate::Parker;

/// Runs a future to its end on the calling thread, which sleeps while the future is pending and has not been woken.
///
/// It can be called inside a future that is itself being run by `block_on`. The inner call blocks the outer future, but
/// takes no wake away from it. If the inner future needs the outer one to make progress, both wait forever.
// ANCHOR: block_on
pub fn block_on<F: Future>(future: F) -> F::Output {
    // Each call has a parker of its own, so that no other code on this thread can take the
    // token that a wake of this future leaves.
    let parker = Arc::new(Parker::default());
    let waker = Waker::from(Arc::clone(&parker));
    poll_and_park(future, &waker, &parker)
}

pub(crate) fn poll_and_park<F: Future>(future: F, waker: &Waker, parker: &Parker) -> F::Output {
    let mut cx = Context::from_waker(waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut cx) {
            Poll::Ready(output) => return output,
            // Returns at once if the waker has been called since the poll began.
            Poll::Pending => parker.park(),
        }
    }
}
// ANCHOR_END: block_on

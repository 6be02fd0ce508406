//! What nearly every test of an executor needs once.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
    thread,
};

/// Waits until something is so that other threads bring about. It sets no limit: put it inside of [`within`](crate::within).
///
/// ```
/// let thread = std::thread::spawn(|| 7);
/// why_pending::wait_until(|| thread.is_finished());
/// ```
pub fn wait_until(mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        thread::yield_now();
    }
}

/// Polls a future once with this waker.
///
/// ```
/// use std::{future::ready, task::{Poll, Waker}};
///
/// assert_eq!(why_pending::poll(&mut ready(7), Waker::noop()), Poll::Ready(7));
/// ```
pub fn poll<F: Future + Unpin>(future: &mut F, waker: &Waker) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
}

/// Calls a closure when it is dropped.
///
/// ```
/// use std::cell::Cell;
///
/// let dropped = Cell::new(false);
/// drop(why_pending::OnDrop(|| dropped.set(true)));
/// assert!(dropped.get());
/// ```
pub struct OnDrop<F: FnMut()>(pub F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

impl<F: FnMut()> fmt::Debug for OnDrop<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnDrop(..)")
    }
}

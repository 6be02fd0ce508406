//! Version 1: each child in a box of its own, which stays where it is when the `Join` moves.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

/// Polls both children at every poll, and is ready when both are finished. Costs one allocation for each child.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::{BoxedJoin, TimerFuture};
/// use std::time::Duration;
///
/// let nap = || async { TimerFuture::new(Duration::from_millis(5)).await };
/// block_on(BoxedJoin::new(nap(), nap()));
/// ```
// ANCHOR: struct
#[derive(Debug)]
pub struct BoxedJoin<A, B> {
    /// `None`: finished, and dropped.
    a: Option<Pin<Box<A>>>,
    b: Option<Pin<Box<B>>>,
}
// ANCHOR_END: struct

impl<A, B> BoxedJoin<A, B> {
    /// Takes two futures, and polls neither of them yet.
    // ANCHOR: new
    pub fn new(a: A, b: B) -> Self {
        BoxedJoin {
            a: Some(Box::pin(a)),
            b: Some(Box::pin(b)),
        }
    }
    // ANCHOR_END: new
}

// ANCHOR: poll
impl<A: Future<Output = ()>, B: Future<Output = ()>> Future for BoxedJoin<A, B> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let a = poll_boxed(&mut self.a, cx);
        let b = poll_boxed(&mut self.b, cx);
        if a.is_ready() { b } else { Poll::Pending }
    }
}

fn poll_boxed<F: Future<Output = ()>>(
    child: &mut Option<Pin<Box<F>>>,
    cx: &mut Context<'_>,
) -> Poll<()> {
    if let Some(future) = child {
        if future.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        *child = None;
    }
    Poll::Ready(())
}
// ANCHOR_END: poll

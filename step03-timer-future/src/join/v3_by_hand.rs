//! Version 3: version 2 with the projection by hand, as `pin_project!` writes it.
#![expect(unsafe_code, reason = "passing a pin on to a field is unsafe")]

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use super::poll_child;

/// Polls both children at every poll, and is ready when both are finished. Allocates nothing.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::{HandProjectedJoin, TimerFuture};
/// use std::time::Duration;
///
/// let nap = || async { TimerFuture::new(Duration::from_millis(5)).await };
/// block_on(HandProjectedJoin::new(nap(), nap()));
/// ```
///
/// It may be moved after it was pinned only if both children may:
///
/// ```compile_fail,E0277
/// use step03_timer_future::HandProjectedJoin;
///
/// fn may_move(_: impl Unpin) {}
/// may_move(HandProjectedJoin::new(async {}, std::future::ready(())));
/// ```
// ANCHOR: struct
#[derive(Debug)]
pub struct HandProjectedJoin<A, B> {
    a: Option<A>,
    b: Option<B>,
}

struct Projection<'pin, A, B> {
    a: Pin<&'pin mut Option<A>>,
    b: Pin<&'pin mut Option<B>>,
}
// ANCHOR_END: struct

impl<A, B> HandProjectedJoin<A, B> {
    /// Takes two futures, and polls neither of them yet.
    pub fn new(a: A, b: B) -> Self {
        HandProjectedJoin {
            a: Some(a),
            b: Some(b),
        }
    }

    // ANCHOR: project
    fn project(self: Pin<&mut Self>) -> Projection<'_, A, B> {
        // SAFETY: nothing moves a child out of a pinned `HandProjectedJoin`. No method but
        // this one reaches the fields. The compiler makes the type `Unpin` only if both
        // children are. It has no `Drop` that could move them, and is not packed, so the
        // compiler need not move a field before it drops it.
        unsafe {
            let HandProjectedJoin { a, b } = self.get_unchecked_mut();
            Projection {
                a: Pin::new_unchecked(a),
                b: Pin::new_unchecked(b),
            }
        }
    }
    // ANCHOR_END: project
}

impl<A: Future<Output = ()>, B: Future<Output = ()>> Future for HandProjectedJoin<A, B> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.project();
        let a = poll_child(this.a, cx);
        let b = poll_child(this.b, cx);
        if a.is_ready() { b } else { Poll::Pending }
    }
}

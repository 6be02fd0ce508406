//! `Join` of stage 02 for the standard `Future`, three times: how to poll children that may not be `Unpin`.
//!
//! To keep the files short, the children have no output. `futures::future::join` shows what outputs add.

mod v1_boxed;
mod v2_projected;
mod v3_by_hand;

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

pub use v1_boxed::BoxedJoin;
pub use v2_projected::ProjectedJoin;
pub use v3_by_hand::HandProjectedJoin;

/// Polls a child that is stored in place, and drops it in place as soon as it is ready. Ready if there is none any more.
// ANCHOR: child
fn poll_child<F: Future<Output = ()>>(
    mut child: Pin<&mut Option<F>>,
    cx: &mut Context<'_>,
) -> Poll<()> {
    if let Some(future) = child.as_mut().as_pin_mut() {
        if future.poll(cx).is_pending() {
            return Poll::Pending;
        }
        child.set(None);
    }
    Poll::Ready(())
}
// ANCHOR_END: child

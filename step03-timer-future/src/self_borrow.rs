//! A real `async fn` whose future points into itself.

use std::time::Duration;

use crate::TimerFuture;

/// Borrows its own local variable across an `.await`. Reports the address in that reference before and after it.
///
/// Once it has been polled, its future holds both the variable and the reference to it, so the reference points into the
/// future:
///
/// ```
/// use futures::executor::block_on;
/// use std::{cell::Cell, pin::pin, ptr};
/// use step03_timer_future::self_borrow;
///
/// let address = Cell::new(0);
/// let mut future = pin!(self_borrow(|to| address.set(to.addr())));
/// let start = ptr::from_ref(&*future).addr();
/// let inside = start..start + size_of_val(&*future);
/// assert_eq!(block_on(future.as_mut()), b'a');
/// assert!(inside.contains(&address.get()));
/// ```
// ANCHOR: async
pub async fn self_borrow(report: impl Fn(*const u8)) -> u8 {
    let letters = *b"abc";
    let first = &letters[0];
    report(first);
    TimerFuture::new(Duration::from_millis(10)).await;
    report(first);
    *first
}
// ANCHOR_END: async

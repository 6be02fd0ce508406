//! A combinator that pins a child and lets its owner move it afterwards.
//!
//! The child is an `async fn` that borrows its own local variable. After its first poll it holds the address of a byte
//! inside itself. The combinator says that it may be moved, and when it is moved, the child moves with it.
#![expect(unsafe_code, reason = "passing a pin on to a field is unsafe")]

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker, ready},
};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "pinned-and-then-moved",
    title: "a child is pinned, and moved before its next poll",
    was_in: "actix-http before 2.0.0, `BodyStream` (actix-web #1321, RUSTSEC-2020-0048)",
    breaks: "what has been pinned is not moved until it is dropped, unless it is Unpin",
    chapter: 3,
    fails: Fails::Miri("has been freed"),
    why: "`impl Unpin` lets safe code move the combinator between two polls, and the child moves with it. The \
          child's pointer still leads to where the child was. Run without Miri, it read another byte there. The \
          fixed version keeps its child in a box, which stays where it is.",
    passes: "the child read 'a' through its own reference",
    broken: || show(Inline(child())),
    repaired: || show(Boxed(Box::pin(child()))),
};

async fn child() -> u8 {
    let letters = *b"abc";
    // A raw pointer, so that Miri reports the read that goes wrong. With a reference, it reports the move before it.
    let first = &raw const letters[0];
    PendingOnce(false).await;
    // SAFETY: this future has been pinned, so `letters` is where it was. The broken combinator does not keep to that.
    unsafe { *first }
}

struct PendingOnce(bool);

impl Future for PendingOnce {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

// ANCHOR: broken
struct Inline<F>(F);

impl<F> Unpin for Inline<F> {}

impl<F: Future<Output = u8>> Future for Inline<F> {
    type Output = char;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<char> {
        // SAFETY: broken on purpose. The promise is that the child will not be moved.
        let child = unsafe { Pin::new_unchecked(&mut self.0) };
        Poll::Ready(char::from(ready!(child.poll(cx))))
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
struct Boxed<F>(Pin<Box<F>>);

impl<F: Future<Output = u8>> Future for Boxed<F> {
    type Output = char;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<char> {
        Poll::Ready(char::from(ready!(self.0.as_mut().poll(cx))))
    }
}
// ANCHOR_END: repaired

// ANCHOR: moved
fn show(mut future: impl Future<Output = char> + Unpin) {
    let mut cx = Context::from_waker(Waker::noop());
    let mut first_place = Box::new(future);
    assert!(Pin::new(&mut *first_place).poll(&mut cx).is_pending());
    future = unboxed(first_place);
    if let Poll::Ready(letter) = Pin::new(&mut future).poll(&mut cx) {
        println!("the child read {letter:?} through its own reference");
    }
}

/// Moves the value out. The box is freed, and with it the place where the value was.
#[expect(clippy::boxed_local, reason = "the box is to be freed here")]
fn unboxed<T>(value: Box<T>) -> T {
    *value
}
// ANCHOR_END: moved

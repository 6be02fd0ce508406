//! A combinator that takes its child out, pins it, and puts it back.
#![expect(unsafe_code, reason = "the broken promise of a pin is the question")]

use std::{
    marker::PhantomPinned,
    mem,
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    task::{Context, Poll, Waker},
};

use pin_project_lite::pin_project;

// ANCHOR: program
/// Drops its child as soon as that is ready. Polled again after that, it is ready again.
struct Fuse<F> {
    child: Option<F>,
}

impl<F: Future<Output = ()>> Future for Fuse<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // SAFETY: the `Fuse` is not moved.
        let this = unsafe { self.get_unchecked_mut() };
        let Some(mut child) = this.child.take() else {
            return Poll::Ready(());
        };
        // SAFETY: `child` is a local variable, and nothing moves it while it is polled.
        let pinned = unsafe { Pin::new_unchecked(&mut child) };
        if pinned.poll(cx).is_pending() {
            this.child = Some(child);
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}
// ANCHOR_END: program

// ANCHOR: repair
pin_project! {
    struct Repaired<F> {
        #[pin]
        child: Option<F>,
    }
}

impl<F: Future<Output = ()>> Future for Repaired<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut child = self.project().child;
        if let Some(pinned) = child.as_mut().as_pin_mut() {
            if pinned.poll(cx).is_pending() {
                return Poll::Pending;
            }
            child.set(None);
        }
        Poll::Ready(())
    }
}
// ANCHOR_END: repair

/// Never ready. Notes where it was polled last.
struct Where<'a>(&'a AtomicUsize, PhantomPinned);

impl Future for Where<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        self.0.store((&raw const *self).addr(), SeqCst);
        Poll::Pending
    }
}

#[test]
fn the_child_is_polled_outside_of_the_pinned_combinator() {
    fn is_polled_inside<F: Future>(future: F, polled_at: &AtomicUsize) -> bool {
        let mut pinned = Box::pin(future);
        let cx = &mut Context::from_waker(Waker::noop());
        assert!(pinned.as_mut().poll(cx).is_pending());
        let begin = (&raw const *pinned).addr();
        (begin..begin + mem::size_of::<F>()).contains(&polled_at.load(SeqCst))
    }
    let at = AtomicUsize::new(0);
    let child = || Some(Where(&at, PhantomPinned));
    assert!(!is_polled_inside(Fuse { child: child() }, &at));
    assert!(is_polled_inside(Repaired { child: child() }, &at));
}

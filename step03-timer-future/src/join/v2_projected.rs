//! Version 2: the children lie in the `Join` itself, and `pin-project-lite` passes the pin on to them.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use pin_project_lite::pin_project;

use super::poll_child;

// ANCHOR: struct
pin_project! {
    /// Polls both children, which lie in the join itself.
    #[derive(Debug)]
    pub struct ProjectedJoin<A, B> {
        #[pin]
        a: Option<A>,
        #[pin]
        b: Option<B>,
    }
}
// ANCHOR_END: struct

impl<A, B> ProjectedJoin<A, B> {
    /// Takes two futures, and polls neither of them yet.
    pub fn new(a: A, b: B) -> Self {
        ProjectedJoin {
            a: Some(a),
            b: Some(b),
        }
    }
}

// ANCHOR: poll
impl<A: Future<Output = ()>, B: Future<Output = ()>> Future for ProjectedJoin<A, B> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.project();
        let a = poll_child(this.a, cx);
        let b = poll_child(this.b, cx);
        if a.is_ready() { b } else { Poll::Pending }
    }
}
// ANCHOR_END: poll

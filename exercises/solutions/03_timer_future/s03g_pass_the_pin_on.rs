//! s03g, solved: `#[pin]` makes `project` give out a pin to the child.

use pin_project_lite::pin_project;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

pin_project! {
    struct CountPolls<F> {
        #[pin]
        child: F,
        polls: u32,
    }
}

impl<F> CountPolls<F> {
    fn new(child: F) -> Self {
        CountPolls { child, polls: 0 }
    }
}

impl<F: Future> Future for CountPolls<F> {
    type Output = (F::Output, u32);

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        // Before the child is polled, so that the poll in which it is ready counts too.
        *this.polls += 1;
        let output = ready!(this.child.poll(cx));
        Poll::Ready((output, *this.polls))
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03g_pass_the_pin_on.rs"]
mod tests;

//! s03g · complete · 20 minutes · chapter 03, "A timer as a future"
//!
//! `CountPolls` wraps a future and counts its polls. When the future is ready, `CountPolls` is ready too, with the
//! future's output and the number of polls, the last one included. Write `poll`. What you need for it is on the page "Pin",
//! the second page of the chapter.
//!
//! The child may be the future of an `async fn`, so `Pin::new(this.child)` does not compile. Get the pin in another way, so
//! that no safe code can move the child between two of its polls.
//!
//! Run: `cargo test --bin s03g_pass_the_pin_on`
//! Red: the watchdog, after two seconds. Read its first line and "look at".

use pin_project_lite::pin_project;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

pin_project! {
    struct CountPolls<F> {
        // TODO: how will `poll` get a `Pin<&mut F>`?
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
        // TODO: count this poll, then poll the child and pass its answer on.
        Poll::Pending
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03g_pass_the_pin_on.rs"]
mod tests;

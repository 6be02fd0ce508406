//! A state machine by hand, and an `async fn` that looks like the same and is not.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

/// Prints three lines. It has no `.await`, so it can be suspended nowhere, and is ready at its first poll.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::{Polls, my_future};
///
/// let polls = Polls::default();
/// assert_eq!(block_on(polls.count(my_future())), "finished");
/// assert_eq!(polls.get(), 1);
/// ```
// ANCHOR: async
pub async fn my_future() -> &'static str {
    println!("      Start");
    println!("      Middle");
    println!("      End");
    "finished"
}
// ANCHOR_END: async

/// Prints the same three lines in three polls, and each change of state.
///
/// *Inside async* (002) draws this as the machine behind [`my_future`]. An `async fn` that does the same would need an
/// `.await` after each of the first two lines, on a future that is pending once.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::{MyFuture, Polls};
///
/// let polls = Polls::default();
/// assert_eq!(block_on(polls.count(MyFuture::Start)), "finished");
/// assert_eq!(polls.get(), 3);
/// ```
#[derive(Debug)]
pub enum MyFuture {
    /// Not polled yet.
    Start,
    /// `Start` has been printed.
    Middle,
    /// `Start` and `Middle` have been printed. A poll in this state is ready, and so is each later one.
    End,
}

impl Future for MyFuture {
    type Output = &'static str;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
        println!("      {:?}", *self);
        let next = match *self {
            MyFuture::Start => MyFuture::Middle,
            MyFuture::Middle => MyFuture::End,
            MyFuture::End => return Poll::Ready("finished"),
        };
        println!("      Yielded: {:?} -> {next:?}", *self);
        // `Pin` lets us write through it because `MyFuture` is `Unpin`.
        *self = next;
        // No other thread will ever wake this task, so the future does it itself.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

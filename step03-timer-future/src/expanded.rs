//! What `.await` expands to: turn the operand into a future, pin it, then poll and yield in a loop.

use std::{
    future::{Future, IntoFuture, poll_fn},
    mem,
    pin::pin,
    task::{Context, Poll},
    time::Duration,
};

use crate::TimerFuture;

/// [`nap`](crate::nap()) with its `.await` written out.
///
/// The compiler needs no `.await` of its own for this. Where we call `with_context`, it writes
/// `get_context(_task_context)`, which is the context that `poll` was called with; and where we call `suspend`, it
/// writes `yield`, which stable Rust does not have.
///
/// ```
/// use futures::executor::block_on;
/// use step03_timer_future::{Polls, nap_expanded};
/// use std::time::Duration;
///
/// let polls = Polls::default();
/// assert_eq!(block_on(polls.count(nap_expanded(Duration::from_millis(5)))), "rested");
/// assert_eq!(polls.get(), 2);
/// ```
pub async fn nap_expanded(duration: Duration) -> &'static str {
    println!("      start");
    {
        let mut awaited = pin!(TimerFuture::new(duration).into_future());
        loop {
            match with_context(|cx| awaited.as_mut().poll(cx)).await {
                Poll::Ready(output) => break output,
                Poll::Pending => suspend().await,
            }
        }
    };
    println!("      end");
    "rested"
}

/// Calls `read` with the context of this poll, and returns what it returns. It never suspends.
async fn with_context<T>(mut read: impl FnMut(&mut Context<'_>) -> T) -> T {
    poll_fn(|cx| Poll::Ready(read(cx))).await
}

/// Returns `Pending` to the caller of `poll` once. The next poll goes on after it.
async fn suspend() {
    let mut suspended = false;
    poll_fn(|_| {
        if mem::replace(&mut suspended, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

//! Why not `thread::park`? Because its token belongs to the thread, and anybody may take it.
//!
//! `thread::park` and `unpark` work as our [`Parker`](crate::Parker) does, with one parker for each thread. That is
//! one too few: `block_on` needs it, and so may whatever the future calls: a blocking channel, a lock, another
//! `block_on`.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
    time::{Duration, Instant},
};

/// The future was woken, but the token of the wake was gone when the thread went to sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenGone;

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// A `block_on` with `thread::park`, which gives up after `limit`. It is here to be compared, not to be used.
///
/// # Errors
///
/// [`TokenGone`] if the future was not finished within `limit`. Without the limit, this would be a hang.
///
/// ```
/// use step05_parker_block_on::thread_token::{TokenGone, block_on_thread, parks_in_poll};
/// use std::time::Duration;
///
/// let limit = Duration::from_millis(20);
/// assert_eq!(block_on_thread(limit, parks_in_poll()), Err(TokenGone));
/// ```
pub fn block_on_thread<F: Future>(limit: Duration, future: F) -> Result<F::Output, TokenGone> {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut cx = Context::from_waker(&waker);
    let mut future = pin!(future);
    let start = Instant::now();
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return Ok(output);
        }
        thread::park_timeout(limit.saturating_sub(start.elapsed()));
        if start.elapsed() >= limit {
            return Err(TokenGone);
        }
    }
}

/// A future that is woken during its first poll, and in that same poll waits for a helper thread by parking, as
/// blocking code does. It is ready at the second poll.
///
/// ```
/// use step05_parker_block_on::{block_on, thread_token::parks_in_poll};
///
/// assert_eq!(block_on(parks_in_poll()), "done");
/// ```
pub fn parks_in_poll() -> impl Future<Output = &'static str> {
    let mut helped = false;
    poll_fn(move |cx| {
        if helped {
            return Poll::Ready("done");
        }
        helped = true;
        cx.waker().wake_by_ref();
        let this_thread = thread::current();
        let helper = thread::spawn(move || this_thread.unpark());
        helper.join().expect("unpark does not panic");
        // `unpark` has been called by the helper, and perhaps by the waker too. But there is one token, and this
        // takes it.
        thread::park();
        Poll::Pending
    })
}

//! Why not `thread::park`? Because its token belongs to the thread, and anybody may take it.
//!
//! `thread::park` and `unpark` work as our [`Parker`](crate::Parker) does, with one parker for each thread; its flag
//! "called, and not answered yet" is what the standard library calls the *token*. One for each thread is not enough:
//! `block_on` needs it, and so may whatever the future calls. A blocking channel does, `thread::scope` does, and so
//! does another `block_on`.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
    time::{Duration, Instant},
};

/// The future was not finished within the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GaveUp {
    /// How often it had been woken by then, and still the thread slept.
    pub wakes: usize,
}

struct Unpark {
    thread: Thread,
    wakes: AtomicUsize,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.wakes.fetch_add(1, Ordering::SeqCst);
        self.thread.unpark();
    }
}

/// A `block_on` with `thread::park`, which gives up after `limit`. It is here to be compared, not to be used.
///
/// # Errors
///
/// [`GaveUp`] if the future was not finished within `limit`. Without the limit, this would be a hang.
///
/// ```
/// use step05_parker_block_on::thread_token::{GaveUp, block_on_thread, parks_in_poll};
/// use std::time::Duration;
///
/// let limit = Duration::from_millis(20);
/// assert_eq!(block_on_thread(limit, parks_in_poll()), Err(GaveUp { wakes: 1 }));
/// ```
pub fn block_on_thread<F: Future>(limit: Duration, future: F) -> Result<F::Output, GaveUp> {
    let unpark = Arc::new(Unpark {
        thread: thread::current(),
        wakes: AtomicUsize::new(0),
    });
    let waker = Waker::from(Arc::clone(&unpark));
    let mut cx = Context::from_waker(&waker);
    let mut future = pin!(future);
    let start = Instant::now();
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return Ok(output);
        }
        thread::park_timeout(limit.saturating_sub(start.elapsed()));
        if start.elapsed() >= limit {
            let wakes = unpark.wakes.load(Ordering::SeqCst);
            return Err(GaveUp { wakes });
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
// ANCHOR: parks
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
        // `unpark` has been called by the helper, and perhaps by the waker too. But there
        // is one token, and this takes it.
        thread::park();
        Poll::Pending
    })
}
// ANCHOR_END: parks

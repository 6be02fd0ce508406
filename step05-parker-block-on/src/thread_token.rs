//! Why `block_on` does not sleep by `thread::park`: the park token belongs to the thread, so any code on the thread can
//! take it.
//!
//! `thread::park` and `Thread::unpark` work like our [`Parker`](crate::Parker), with one parker for each thread. Its flag
//! is what the standard library calls the *token*. One token is not enough: `block_on` sleeps by it, and so does whatever
//! the future calls, such as the `recv` of a channel, the end of a `thread::scope`, or another `block_on`.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
    time::{Duration, Instant},
};

/// The future was not finished within the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GaveUp {
    /// How often its waker had been called by then.
    pub wakes: usize,
}

// ANCHOR: unpark
struct Unpark {
    thread: Thread,
    wakes: AtomicUsize,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        // The wake is counted first, because the thread may ask for the count as soon as it is unparked.
        self.wakes.fetch_add(1, Ordering::SeqCst);
        self.thread.unpark();
    }
}
// ANCHOR_END: unpark

/// A `block_on` that sleeps by `thread::park`, and gives up after `limit`. It is here to be compared with
/// [`block_on`](crate::block_on); do not use it.
///
/// # Errors
///
/// [`GaveUp`] if the future was not finished within `limit`. Without the limit, this would be a hang.
///
/// ```
/// use step05_parker_block_on::{thread_token::block_on_thread, TimerFuture};
/// use std::time::Duration;
///
/// let limit = Duration::from_secs(10);
/// let timer = TimerFuture::new(Duration::from_millis(5));
/// assert_eq!(block_on_thread(limit, timer), Ok(()));
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

/// How long the helper thread of [`receives_in_poll`] takes for its answer.
pub const HELP: Duration = Duration::from_millis(40);

/// A future that is woken during its first poll, and in that same poll waits for a helper thread by the `recv` of a
/// channel, as blocking code does. It is ready at the second poll.
///
/// ```
/// use step05_parker_block_on::{block_on, thread_token::receives_in_poll};
///
/// assert_eq!(block_on(receives_in_poll()), "the helper's answer");
/// ```
pub fn receives_in_poll() -> impl Future<Output = &'static str> {
    let mut answer = None;
    poll_fn(move |cx| {
        if let Some(answer) = answer {
            return Poll::Ready(answer);
        }
        // Another part of the task has become ready, say.
        cx.waker().wake_by_ref();
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            thread::sleep(HELP);
            sender.send("the helper's answer")
        });
        answer = receiver.recv().ok();
        Poll::Pending
    })
}

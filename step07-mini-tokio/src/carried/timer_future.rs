//! A timer: its first poll starts a thread, which sleeps and then fires a signal. Each poll leaves its task's waker, which is
//! in `cx`, in the signal (`signal.rs`). So firing wakes the task that polled last, and this task alone.

use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    task::{Context, Poll},
    thread,
    time::Duration,
};

use crate::Signal;

static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Becomes ready once `duration` has passed since the first poll. A zero duration is ready at once.
///
/// Each timer costs a thread, and dropping the timer ends that thread. A timer that is polled after it was ready is ready
/// again.
///
/// # Panics
///
/// At the first poll, if the operating system has no thread left.
// ANCHOR: struct
#[derive(Debug)]
pub struct TimerFuture {
    duration: Duration,
    /// `None` before the first poll.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    signal: Arc<Signal>,
    /// Nothing is ever sent. It is dropped with the timer, and then the thread stops
    /// sleeping.
    _alive: Sender<Infallible>,
}
// ANCHOR_END: struct

// Polling takes a `Pin`, a promise not to move the future again. A timer has no pointer into itself and needs no such
// promise, so it is `Unpin`, and `poll` may write to its fields.
impl Future for TimerFuture {
    type Output = ();

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.duration.is_zero() {
            return Poll::Ready(());
        }
        if let Some(running) = &self.running {
            // Ready if it has fired. If not, it keeps the waker in `cx`, and is pending.
            return running.signal.poll_fired(cx);
        }
        let signal = Arc::new(Signal::default());
        // Store the waker first, then start the thread. The other order would be right too,
        // but a fast thread might then be done before this poll is, and the number of polls
        // would depend on luck.
        let pending = signal.poll_fired(cx);
        self.running = Some(Running::start(self.duration, signal));
        pending
    }
    // ANCHOR_END: poll
}

impl Running {
    // ANCHOR: start
    fn start(duration: Duration, signal: Arc<Signal>) -> Running {
        // Weak, so that the waker inside is dropped with the timer. The thread sleeps for the
        // duration; or until `alive` is dropped with the timer, and then it fires nothing.
        let fired = Arc::downgrade(&signal);
        let (alive, dropped) = mpsc::channel();
        thread::spawn(move || {
            if dropped.recv_timeout(duration) == Err(RecvTimeoutError::Timeout) {
                if let Some(signal) = fired.upgrade() {
                    signal.fire();
                }
            }
        });
        THREADS.fetch_add(1, Ordering::Relaxed);
        Running {
            signal,
            _alive: alive,
        }
    }
    // ANCHOR_END: start
}

impl TimerFuture {
    /// A timer whose time runs from its first poll.
    pub fn new(duration: Duration) -> TimerFuture {
        TimerFuture {
            duration,
            running: None,
        }
    }

    /// How many threads all timers of this process have started so far.
    pub fn threads_started() -> usize {
        THREADS.load(Ordering::Relaxed)
    }
}

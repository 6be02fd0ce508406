//! A timer: a signal, and a thread that sleeps and then fires it.

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
/// Each timer costs a thread. Dropping the timer ends the thread. Polled after it was ready, it is ready again.
///
/// # Panics
///
/// At the first poll, if the operating system has no thread left.
#[derive(Debug)]
pub struct TimerFuture {
    duration: Duration,
    /// `None` before the first poll.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    signal: Arc<Signal>,
    /// Nothing is ever sent. The thread sees that this end is gone, and stops sleeping.
    _alive: Sender<Infallible>,
}

impl TimerFuture {
    /// A timer that has not been started: its time runs from the first poll.
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

impl Running {
    fn start(duration: Duration, signal: Arc<Signal>) -> Running {
        // Weak: the waker inside goes with the future, and does not wait for the thread.
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
}

impl Future for TimerFuture {
    type Output = ();

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.duration.is_zero() {
            return Poll::Ready(());
        }
        if let Some(running) = &self.running {
            return running.signal.poll_fired(cx);
        }
        let signal = Arc::new(Signal::default());
        // The waker first, the thread second. The other way round would be right too, but
        // then the thread might be done before the first poll is, and the number of polls a
        // matter of luck.
        let pending = signal.poll_fired(cx);
        self.running = Some(Running::start(self.duration, signal));
        pending
    }
    // ANCHOR_END: poll
}

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
    fn start(duration: Duration) -> Running {
        let signal = Arc::new(Signal::default());
        // Weak: the waker inside goes with the future, and does not wait for the thread.
        let fired = Arc::downgrade(&signal);
        let (alive, dropped) = mpsc::channel();
        THREADS.fetch_add(1, Ordering::Relaxed);
        thread::spawn(move || {
            if dropped.recv_timeout(duration) == Err(RecvTimeoutError::Timeout) {
                if let Some(signal) = fired.upgrade() {
                    signal.fire();
                }
            }
        });
        Running {
            signal,
            _alive: alive,
        }
    }
}

impl Future for TimerFuture {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.duration.is_zero() {
            return Poll::Ready(());
        }
        let duration = self.duration;
        let running = self.running.get_or_insert_with(|| Running::start(duration));
        running.signal.poll_fired(cx)
    }
}

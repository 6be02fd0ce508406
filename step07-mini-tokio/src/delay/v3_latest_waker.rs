//! Version 3: the first poll starts the only thread, and a [`Signal`] keeps the waker of the latest poll.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Instant,
};

use super::Sleeper;
use crate::Signal;

/// Ready with `"done"` once `when` has passed.
///
/// It may move from one task to another between two polls, because it wakes the task that polled it last. A poll after
/// it was ready returns `Ready` again.
///
/// ```
/// use std::time::{Duration, Instant};
/// use step07_mini_tokio::Delay;
///
/// let when = Instant::now() + Duration::from_millis(5);
/// let out = futures::executor::block_on(Delay::until(when));
/// assert_eq!(out, "done");
/// assert!(Instant::now() >= when);
/// ```
// ANCHOR: struct
#[derive(Debug)]
pub struct Delay {
    when: Instant,
    /// `None` before the first poll.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    /// Fired by the thread, and holds the waker of the latest poll until then.
    signal: Arc<Signal>,
    /// Dropped with the delay, so a delay that is dropped early ends its thread.
    _sleeper: Sleeper,
}
// ANCHOR_END: struct

impl Delay {
    /// Creates a delay that is ready once `when` has passed. Its thread is started by the first poll.
    pub fn until(when: Instant) -> Delay {
        Delay {
            when,
            running: None,
        }
    }
}

impl Running {
    fn start(when: Instant, signal: Arc<Signal>) -> Running {
        // The thread refers to the signal weakly, so that dropping the delay drops the waker at once and does not
        // leave that to the thread.
        let fired = Arc::downgrade(&signal);
        let act = move || {
            if let Some(signal) = fired.upgrade() {
                signal.fire();
            }
        };
        Running {
            signal,
            _sleeper: Sleeper::start(when, act),
        }
    }
}

impl Future for Delay {
    type Output = &'static str;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
        let Some(running) = &self.running else {
            let signal = Arc::new(Signal::default());
            // The waker is stored before the thread is started, so the thread finds it
            // however soon it fires. No other code has this signal yet, so this is Pending.
            let pending = signal.poll_fired(cx).map(|()| "done");
            self.running = Some(Running::start(self.when, signal));
            return pending;
        };
        // The clock is not read here. If it were, the thread could fire after the clock said
        // "too early" and before this poll's waker is stored, and would wake an old waker.
        ready!(running.signal.poll_fired(cx));
        println!("Hello world");
        Poll::Ready("done")
    }
    // ANCHOR_END: poll
}

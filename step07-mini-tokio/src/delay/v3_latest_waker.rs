//! Version 3: one thread, started at the first poll; and a signal, which keeps the waker of the latest poll.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Instant,
};

use super::Sleeper;
use crate::Signal;

/// Ready, with `"done"`, once `when` has come.
///
/// It may be polled by one task and then be given to another: the task that polled it last is woken. Polled after
/// it was ready, it is ready again.
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
#[derive(Debug)]
pub struct Delay {
    when: Instant,
    /// `None` before the first poll.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    signal: Arc<Signal>,
    _sleeper: Sleeper,
}

impl Delay {
    /// Waits until `when`, as soon as it is polled.
    pub fn until(when: Instant) -> Delay {
        Delay {
            when,
            running: None,
        }
    }
}

impl Running {
    fn start(when: Instant, signal: Arc<Signal>) -> Running {
        // Weak: the waker inside goes with the future, and does not wait for the thread.
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
            // Pending for sure: nobody else has this signal yet. The waker first, the
            // thread second.
            let pending = signal.poll_fired(cx).map(|()| "done");
            self.running = Some(Running::start(self.when, signal));
            return pending;
        };
        // No look at the clock here. Between "not yet" by the clock and the lock that the
        // new waker waits for, the thread could wake an earlier waker and be gone. The
        // signal decides both under one lock.
        ready!(running.signal.poll_fired(cx));
        println!("Hello world");
        Poll::Ready("done")
    }
    // ANCHOR_END: poll
}

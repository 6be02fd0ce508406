//! Version 2: a thread sleeps and then wakes the task, but every poll that comes too early starts a new thread.
//!
//! A delay that is alone in its task is polled twice and starts one thread. A delay that is joined with others is
//! polled whenever any of them wakes the task, and each of those polls starts another thread.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use super::Sleeper;

/// Ready with `"done"` once `when` has passed. Each poll before that starts a thread.
#[derive(Debug)]
pub struct Delay {
    when: Instant,
    /// One for each poll so far.
    sleepers: Vec<Sleeper>,
}

impl Delay {
    /// Creates a delay that is ready once `when` has passed. The first thread is started by the first poll.
    pub fn until(when: Instant) -> Delay {
        Delay {
            when,
            sleepers: Vec::new(),
        }
    }
}

impl Future for Delay {
    type Output = &'static str;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<&'static str> {
        if Instant::now() >= self.when {
            self.sleepers.clear();
            println!("      Hello world");
            return Poll::Ready("done");
        }
        let waker = cx.waker().clone();
        let sleeper = Sleeper::start(self.when, move || waker.wake());
        self.sleepers.push(sleeper);
        Poll::Pending
    }
    // ANCHOR_END: poll
}

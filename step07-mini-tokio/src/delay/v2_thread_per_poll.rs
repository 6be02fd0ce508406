//! Version 2: a thread sleeps, and wakes the task. But it is a new thread at every poll.
//!
//! Alone in its task it is polled twice, and that is one thread. Joined with others it is polled whenever one of
//! them is ready, and each of those polls adds a thread that will wake the task once more.

use std::{
    future::Future,
    mem,
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use super::Sleeper;

/// Ready, with `"done"`, once `when` has come.
#[derive(Debug)]
pub struct Delay {
    when: Instant,
    sleepers: Vec<Sleeper>,
}

impl Delay {
    /// Waits until `when`, as soon as it is polled.
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
            drop(mem::take(&mut self.sleepers));
            println!("Hello world");
            return Poll::Ready("done");
        }
        let waker = cx.waker().clone();
        let sleeper = Sleeper::start(self.when, move || waker.wake());
        self.sleepers.push(sleeper);
        Poll::Pending
    }
    // ANCHOR_END: poll
}

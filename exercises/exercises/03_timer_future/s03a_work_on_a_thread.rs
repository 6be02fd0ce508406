//! s03a · complete · 15 minutes · chapter 03, "A timer as a future"
//!
//! `OnThread` is a future that runs a job on a thread of its own and is ready when the job is done. Write its `poll`. Like
//! the chapter's timer, it starts nothing before its first poll, and one thread however often it is polled.
//! A poll never waits, because its thread has other futures to poll.
//!
//! `OnThread` does not point into itself, so it is `Unpin`, and you can use `self.job.take()` through the `Pin`.
//! `Signal` is that of the chapter (`step03-timer-future/src/signal.rs`). `poll_fired(cx)` stores the waker for you, and
//! `fire()` calls it.
//!
//! Run: `cargo test --bin s03a_work_on_a_thread`
//! Red: the watchdog, after two seconds. Read its first line and "look at".

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use step03_timer_future::Signal;

struct OnThread {
    /// `None` once the thread has been started.
    job: Option<Box<dyn FnOnce() + Send>>,
    done: Arc<Signal>,
}

impl Future for OnThread {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // TODO: let a thread run the job, and be ready when it is done.
        Poll::Pending
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03a_work_on_a_thread.rs"]
mod tests;

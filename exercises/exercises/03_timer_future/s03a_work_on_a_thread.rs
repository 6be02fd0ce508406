//! s03a · complete · 12 minutes · chapter 03, "A timer as a future"
//!
//! `OnThread` is a real `Future`: it runs a job on a thread of its own, and is ready when the job is done. Write `poll`.
//! At the first poll it starts the thread, which runs the job and then fires the signal. At each poll it asks the signal.
//!
//! `Signal::poll_fired(cx)` keeps the waker for you, and `Signal::fire()` calls it: `step03-timer-future/src/signal.rs`.
//!
//! Run: `cargo test --bin s03a_work_on_a_thread`
//! Red: the watchdog, after two seconds. Read its first line and "look at".

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use step03_timer_future::Signal;

struct OnThread {
    /// `None`: the thread has been started.
    job: Option<Box<dyn FnOnce() + Send>>,
    done: Arc<Signal>,
}

impl Future for OnThread {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // TODO: start the thread if that has not been done, and ask the signal.
        Poll::Pending
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::time::Duration;

    #[test]
    fn the_job_runs_once_elsewhere_and_then_the_future_is_ready() {
        let caller = thread::current().id();
        let (runs, on_the_caller) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let counts = (Arc::clone(&runs), Arc::clone(&on_the_caller));
        let job = move || {
            if thread::current().id() == caller {
                counts.1.fetch_add(1, SeqCst);
            }
            thread::sleep(Duration::from_millis(20));
            counts.0.fetch_add(1, SeqCst);
        };
        let future = OnThread {
            job: Some(Box::new(job)),
            done: Arc::default(),
        };
        probe::within(Duration::from_secs(2), || {
            block_on(probe::watch("OnThread", future))
        });
        assert!(
            on_the_caller.load(SeqCst) == 0,
            "The job ran inside poll, on the thread that polls: it can poll nothing else as long as the job takes.\n\
             Asked: the job runs on a thread that poll starts."
        );
        let runs = runs.load(SeqCst);
        assert!(
            runs == 1,
            "The future is ready, and the job has been finished {runs} times. Asked: once, before Ready.\n\
             Look at: in which order does the thread run the job and fire the signal?"
        );
    }
}

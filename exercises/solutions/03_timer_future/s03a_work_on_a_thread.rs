//! s03a, solved: start once, ask each time.

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
        // `take` leaves `None` behind, so a later poll does not come in here.
        if let Some(job) = self.job.take() {
            let done = Arc::clone(&self.done);
            thread::spawn(move || {
                job();
                // After the job: a poll that this wakes must find the result there.
                done.fire();
            });
        }
        // If the thread was faster than this line, the answer is Ready. Otherwise the signal has our waker now.
        self.done.poll_fired(cx)
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

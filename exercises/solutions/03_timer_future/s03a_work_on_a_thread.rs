//! s03a, solved: start the thread once, poll the signal each time.

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
        // `take` leaves `None` behind, so a later poll skips this.
        if let Some(job) = self.job.take() {
            let done = Arc::clone(&self.done);
            thread::spawn(move || {
                job();
                // After the job, because the poll that follows this wake expects the result.
                done.fire();
            });
        }
        // If the thread has already fired, this is Ready. Otherwise the signal now has our waker.
        self.done.poll_fired(cx)
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03a_work_on_a_thread.rs"]
mod tests;

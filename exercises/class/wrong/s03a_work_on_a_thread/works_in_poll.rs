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
            // ANCHOR: slip
            job();
            done.fire();
            // ANCHOR_END: slip
        }
        // If the thread was faster than this line, the answer is Ready. Otherwise the signal has our waker now.
        self.done.poll_fired(cx)
    }
}

fn main() {}

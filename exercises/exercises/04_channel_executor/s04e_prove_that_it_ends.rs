//! s04e · prove · 15 minutes · chapter 04, "An executor on a channel"
//!
//! `run` must return when every task is finished. Write a test that catches three executors that break this rule. One
//! never returns (as in document 004, D44), one returns while a task is still pending, and one returns only when every
//! waker is gone (D09). Your test must accept the executor of stage 04.
//!
//! Write the body of `test_run`. `ends_in_time` runs an executor on a thread and returns whether `run` returned in time.
//!
//! Run: `cargo test --bin s04e_prove_that_it_ends`
//! Red: which executor your test accepted by mistake, or that it refused the good one.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Poll, Waker};
use std::time::Duration;
use std::{pin::Pin, thread};
use step04_channel_executor::TimerFuture;

type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// An executor and its only spawner.
trait Executor: Send {
    fn spawn(&self, future: BoxFuture);
    fn run(self: Box<Self>);
}

/// Whether `run` returns within a quarter of a second. It waits fifty times, because a busy machine makes each wait longer, too.
fn ends_in_time(executor: Box<dyn Executor>) -> bool {
    let (ended, wait) = mpsc::channel();
    thread::spawn(move || {
        executor.run();
        let _ = ended.send(());
    });
    (0..50).any(|_| wait.recv_timeout(Duration::from_millis(5)).is_ok())
}

/// A task that is ready at once, and leaves its waker in `place`.
async fn leaves_its_waker_in(place: Arc<Mutex<Option<Waker>>>) {
    poll_fn(|cx| {
        *place.lock().unwrap() = Some(cx.waker().clone());
        Poll::Ready(())
    })
    .await;
}

fn test_run(make: fn() -> Box<dyn Executor>) {
    let executor = make();
    // TODO: spawn a task, and assert that `run` ends and that the task is finished by then. Is one kind of task enough?
    // executor.spawn(Box::pin(async { … }));
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s04e_prove_that_it_ends.rs"]
mod tests;

//! s04e, solved: one task for which `run` must wait, and one for which it must not.

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
    let done = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&done);
    executor.spawn(Box::pin(async move {
        // While this task waits, the queue is empty, and that is not the end.
        TimerFuture::new(Duration::from_millis(10)).await;
        set.store(true, SeqCst);
    }));
    assert!(ends_in_time(executor), "`run` does not end");
    assert!(done.load(SeqCst), "`run` ended before its task did");

    let executor = make();
    let place = Arc::default();
    executor.spawn(Box::pin(leaves_its_waker_in(Arc::clone(&place))));
    // `place` still holds the waker here. Its task is finished, so `run` must not wait for it.
    assert!(
        ends_in_time(executor),
        "a waker that is kept stops `run` from returning"
    );
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s04e_prove_that_it_ends.rs"]
mod tests;

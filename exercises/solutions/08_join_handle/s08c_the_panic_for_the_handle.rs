//! s08c · repair · 10 minutes · chapter 08, "Join handles and worker threads"
//!
//! This pool is built like the first version of *Executor-2* (001): a worker polls tasks, and a task sends its output to
//! its handle through a oneshot channel. A task that panics ends its worker (D14), so after as many panics as there are
//! workers, no task runs any more. And the handle learns only that the channel was closed, so the message of the panic is
//! lost (D15).
//!
//! Fix both. A worker goes on after a panic, and the handle returns the panic's payload: the value that `panic!` was
//! called with, as `std::thread::JoinHandle::join` does.
//!
//! Run: `cargo test --bin s08c_the_panic_for_the_handle`, or save this file while `rustlings` runs.
//! Red: a test says what became of the message, or that the workers are gone. The message of the panic itself is printed
//! by every panic, whether it is caught or not. You can ignore it.

use futures::{FutureExt, channel::oneshot};
use std::{
    any::Any,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Wake, Waker},
    thread,
};
use step08_join_handle::Queue;

/// What a panic carries, often a `&str` or a `String`.
type Payload = Box<dyn Any + Send>;

/// Waits for a task. An error is the payload of its panic.
struct JoinHandle<T>(oneshot::Receiver<Result<T, Payload>>);

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, Payload>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0)
            .poll(cx)
            .map(|received| received.unwrap_or_else(|closed| Err(Box::new(closed))))
    }
}

struct Pool {
    queue: Arc<Queue<Arc<Task>>>,
}

impl Pool {
    fn new(workers: usize) -> Pool {
        let queue = Arc::new(Queue::new());
        for _ in 0..workers {
            let queue = Arc::clone(&queue);
            let worker = thread::Builder::new().name("worker".into());
            worker.spawn(move || work(&queue)).unwrap();
        }
        Pool { queue }
    }

    fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (sender, receiver) = oneshot::channel();
        let task = Arc::new(Task {
            future: Mutex::new(Box::pin(async move {
                // Catches the panic of each poll. Nothing sees the future after that, so it does not matter in which
                // state the panic has left it.
                let result = AssertUnwindSafe(future).catch_unwind().await;
                // An error: the handle has been dropped.
                let _ = sender.send(result);
            })),
            queue: Arc::clone(&self.queue),
        });
        self.queue.push(task);
        JoinHandle(receiver)
    }
}

/// What a worker does, until the queue is closed.
fn work(queue: &Queue<Arc<Task>>) {
    while let Some(task) = queue.pop() {
        task.run();
    }
}

struct Task {
    future: Mutex<Pin<Box<dyn Future<Output = ()> + Send>>>,
    queue: Arc<Queue<Arc<Task>>>,
}

impl Task {
    /// Polls the task. In this exercise, a task is woken only while no worker polls it, and never after it has ended.
    fn run(self: Arc<Self>) {
        let waker = Waker::from(Arc::clone(&self));
        let mut future = self.future.lock().unwrap();
        let _ = future.as_mut().poll(&mut Context::from_waker(&waker));
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.queue.push(Arc::clone(&self));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.queue.close();
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08c_the_panic_for_the_handle.rs"]
mod tests;

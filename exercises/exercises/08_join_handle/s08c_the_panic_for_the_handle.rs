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
            // TODO: what does this block send if `future` panics?
            future: Mutex::new(Box::pin(async move {
                let output = future.await;
                // An error: the handle has been dropped.
                let _ = sender.send(Ok(output));
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

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{watch, within};
    use std::{
        fmt,
        panic::panic_any,
        sync::mpsc::{self, RecvTimeoutError},
        time::Duration,
    };
    use step05_parker_block_on::block_on;

    const LIMIT: Duration = Duration::from_secs(2);

    fn join<T>(handle: JoinHandle<T>) -> Result<T, Payload> {
        within(LIMIT, || block_on(watch("the join handle", handle)))
    }

    /// Whether the pool still runs a task.
    fn still_works(pool: &Pool) -> bool {
        let (sender, receiver) = mpsc::channel();
        let _detached = pool.spawn(async move { sender.send(()) });
        receiver.recv_timeout(LIMIT) != Err(RecvTimeoutError::Timeout)
    }

    /// The message that the handle got, as text.
    fn message<T: fmt::Debug>(result: Result<T, Payload>) -> String {
        let payload = match result {
            Err(payload) => payload,
            Ok(output) => panic!("the task panicked, but its handle returned Ok({output:?})"),
        };
        if let Some(text) = payload.downcast_ref::<&str>() {
            return text.to_string();
        }
        if let Some(text) = payload.downcast_ref::<String>() {
            return text.clone();
        }
        if payload.is::<oneshot::Canceled>() {
            return "only that the channel was closed".to_string();
        }
        if payload.is::<Payload>() {
            return "a box with the payload in it, so there is one `Box::new` too many".to_string();
        }
        "a value that is neither a `&str` nor a `String`".to_string()
    }

    #[test]
    fn the_handle_gets_the_message() {
        let pool = Pool::new(2);
        let got = message(join(pool.spawn(async { panic!("no bread left") })));
        assert!(
            got == "no bread left",
            "A task panicked with \"no bread left\".\nIts handle got: {got}."
        );
        let got = message(join(pool.spawn(async { panic!("{} left", 3) })));
        assert!(
            got == "3 left",
            "A task panicked with a `String`, \"3 left\".\nIts handle got: {got}."
        );
    }

    #[test]
    fn the_handle_gets_any_payload() {
        let pool = Pool::new(1);
        let result = join(pool.spawn(async { panic_any(42_u16) }));
        let payload = result.expect_err("the task panicked");
        assert!(
            payload.downcast_ref::<u16>() == Some(&42),
            "A task panicked by `panic_any(42_u16)`, and what its handle got is not this number.\nIts handle got: {}.\n\
             A payload may have any type. Wanted: the box that the panic carried, as it is.",
            message::<()>(Err(payload))
        );
    }

    #[test]
    fn the_workers_survive() {
        let pool = Pool::new(2);
        for _ in 0..3 {
            let _detached = pool.spawn(async { panic!("on purpose") });
        }
        assert!(
            still_works(&pool),
            "Three tasks panicked, and the pool of two workers runs no task any more.\n\
             Wanted: a panic ends the task, but not the worker that polls it.\n\
             Look at: who catches a panic between `poll` and the end of the worker's loop?"
        );
    }

    #[test]
    fn a_task_may_panic_in_a_later_poll() {
        let pool = Pool::new(1);
        let (sender, receiver) = oneshot::channel::<()>();
        let waits = pool.spawn(async move {
            receiver.await.unwrap();
            panic!("after a wait");
        });
        // One worker, so the first task waits already when this one has run.
        assert!(
            still_works(&pool),
            "A task waits for a message, and meanwhile the pool's only worker runs no other task.\n\
             Wanted: a task that waits returns Pending, and its worker takes the next one.\n\
             Look at: does the worker's thread wait inside the poll, for example in a `block_on`?"
        );
        sender.send(()).unwrap();
        let got = message::<()>(join(waits));
        assert!(
            got == "after a wait",
            "A task waited, was woken, and panicked with \"after a wait\".\nIts handle got: {got}."
        );
        assert!(still_works(&pool), "and its worker is gone");
    }

    #[test]
    fn an_output_is_not_an_error() {
        let pool = Pool::new(1);
        assert_eq!(join(pool.spawn(async { 6 * 7 })).ok(), Some(42));
    }
}

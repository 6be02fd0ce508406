//! Version 1: tasks with a lock, and a handle on a oneshot channel.
//!
//! The queue is shared by all workers, so two of them may take one task at the same time: it is woken while it is polled, and
//! a second worker receives it. That worker waits for the lock around the future. Version 2 has no worker wait.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker, ready},
};

use futures::channel::oneshot;

use crate::{
    JoinError, Queue, Queued,
    contain::contain,
    list::List,
    lock::lock,
    sync::Mutex,
    task_future::{TaskFuture, TaskResult},
    workers::Workers,
};

/// Runs tasks on several threads. Dropping it drops every task that is not finished.
///
/// A task that is in the queue is not polled again once a spawn is refused.
///
/// ```
/// use step08_join_handle::v1_oneshot::Runtime;
///
/// let runtime = Runtime::new(2);
/// let handle = runtime.spawn(async { 6 * 7 });
/// assert_eq!(futures::executor::block_on(handle).unwrap(), 42);
/// ```
#[derive(Debug)]
pub struct Runtime {
    handle: Handle,
    workers: Workers,
}

/// Spawns tasks on a [`Runtime`], from any thread.
#[derive(Debug, Clone)]
pub struct Handle(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    queue: Queue<Arc<Task>>,
    tasks: Arc<List<Arc<Task>>>,
}

// ANCHOR: task
#[derive(Debug)]
struct Task {
    /// Whether the task is in the queue.
    queued: Queued,
    /// Held by a worker while it polls. A second worker that has taken the same task from
    /// the queue waits for it.
    future: Mutex<TaskFuture<()>>,
    shared: Arc<Shared>,
}
// ANCHOR_END: task

/// Waits for a task, and gives out its output or its panic. Dropping it detaches the task.
#[derive(Debug)]
pub struct JoinHandle<T> {
    /// `None` only while it is dropped.
    result: Option<oneshot::Receiver<TaskResult<T>>>,
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let result = self.result.as_mut().expect("it is not being dropped");
        Poll::Ready(match ready!(Pin::new(result).poll(cx)) {
            Ok(result) => result.into_inner().map_err(JoinError::panicked),
            // The sender was dropped, and so was the future, which owned it.
            Err(oneshot::Canceled) => Err(JoinError::cancelled()),
        })
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        contain(|| self.result = None); // and with it the waker of the task that waits
    }
}

impl Runtime {
    /// Starts a runtime with this number of worker threads.
    ///
    /// # Panics
    ///
    /// If `workers` is 0, or the system cannot start so many threads.
    pub fn new(workers: usize) -> Runtime {
        let runtime = Runtime {
            handle: Handle(Arc::default()),
            workers: Workers::default(),
        };
        let shared = Arc::clone(&runtime.handle.0);
        runtime.workers.start_all(workers, move || {
            while let Some(task) = shared.queue.pop() {
                task.poll();
            }
        });
        runtime
    }

    /// Returns a handle, which may be cloned, sent to other threads and moved into tasks.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Spawns a task. It runs whether its handle is awaited or not.
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.handle.spawn(future)
    }
}

impl Handle {
    /// Spawns a task. If the runtime has been dropped, the future is dropped, and the task counts as cancelled.
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        // ANCHOR: outer
        let (sender, receiver) = oneshot::channel();
        let mut inner = TaskFuture::new(future);
        let outer = async move {
            let result = poll_fn(|cx| inner.poll(cx)).await;
            // An error: the handle has been dropped. Then the result comes back, and is dropped here.
            let _ = sender.send(TaskResult::new(result));
        };
        // ANCHOR_END: outer
        let (task, listed) = self.0.tasks.insert(outer, |outer| {
            let task = Arc::new(Task {
                queued: Queued::no(),
                future: Mutex::new(TaskFuture::new(outer)),
                shared: Arc::clone(&self.0),
            });
            (Arc::clone(&task), task)
        });
        if listed {
            task.wake();
        }
        let result = Some(receiver);
        JoinHandle { result }
    }
}

impl Task {
    // ANCHOR: poll
    fn poll(self: Arc<Self>) {
        // Waits here while another worker polls this task.
        let mut future = lock(&self.future);
        if future.is_finished() {
            return; // woken after it was finished
        }
        self.queued.clear();
        let waker = Waker::from(Arc::clone(&self));
        let answer = future.poll(&mut Context::from_waker(&waker));
        drop(future);
        // ANCHOR_END: poll
        if answer.is_pending() && self.shared.tasks.is_closed() {
            self.discard();
        }
        contain(|| drop(answer)); // the panic of a waker, if there was one
    }

    /// Drops the future, unless a worker is polling it. Then that worker does so after the poll.
    fn discard(&self) {
        if let Ok(mut future) = self.future.try_lock() {
            let discarded = future.discard();
            drop(future);
            contain(|| drop(discarded));
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.queued.set() {
            self.shared.queue.push(Arc::clone(self));
        }
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        self.handle.0.queue.close(); // first, so that no task is left in it once a spawn is refused
        for task in self.handle.0.tasks.close(Arc::clone) {
            task.discard();
        }
        // A worker cannot wait for the others, because one of them may wait for the lock of the task that it polls.
        if !self.workers.include_caller() {
            self.workers.join();
        }
    }
}

#[cfg(test)]
mod tests;

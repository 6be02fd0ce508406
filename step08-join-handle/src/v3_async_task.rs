//! Version 3: the runtime of version 2, with the tasks of the crate async-task.
//!
//! Its `Runnable` and its `Task` take the place of our [`Runnable`](crate::Runnable) and [`JoinHandle`](crate::JoinHandle).
//! Their state is one word too, with nearly the same bits. What is left to write is the handle's errors, and the abort, which
//! is a wrapper of the crate futures.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use async_task::{Runnable, Task};
use futures::future::{AbortHandle, Abortable, Aborted};

use crate::{
    JoinError, Queue,
    list::List,
    task_future::{TaskFuture, TaskResult},
    workers::Workers,
};

/// Runs tasks on several threads. Dropping it aborts every task that is not finished.
///
/// A task that is in the queue is not polled again once a spawn is refused.
///
/// ```
/// use step08_join_handle::v3_async_task::Runtime;
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
    queue: Arc<Queue<Runnable>>,
    /// What aborts each task whose future has not been dropped.
    tasks: Arc<List<AbortHandle>>,
}

/// Waits for a task, and gives out its output or its panic. Dropping it detaches the task.
///
/// async-task clones, calls and drops the waker of the task that waits, and ends the process if one of these panics.
// ANCHOR: handle
#[derive(Debug)]
pub struct JoinHandle<T> {
    /// `None` only while it is dropped.
    task: Option<Task<Result<TaskResult<T>, Aborted>>>,
    abort: AbortHandle,
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let task = self.task.as_mut().expect("it is not being dropped");
        Poll::Ready(match ready!(Pin::new(task).poll(cx)) {
            Ok(result) => result.into_inner().map_err(JoinError::panicked),
            Err(Aborted) => Err(JoinError::cancelled()),
        })
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        // Without this, the task would be cancelled, because dropping a `Task` cancels it.
        if let Some(task) = self.task.take() {
            task.detach();
        }
    }
}
// ANCHOR_END: handle

impl<T> JoinHandle<T> {
    /// Cancels the task: a worker drops its future, and never polls it again.
    pub fn abort(&self) {
        self.abort.abort();
    }

    /// Whether the task is finished.
    pub fn is_finished(&self) -> bool {
        self.task.as_ref().is_none_or(Task::is_finished)
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
        runtime.workers.start_all(workers, move || shared.work());
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
    /// Spawns a task. If the runtime has been dropped, the future is dropped, and the handle says that the task was
    /// cancelled.
    // ANCHOR: spawn
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (abort, registration) = AbortHandle::new_pair();
        let mut future = TaskFuture::new(future);
        let output = poll_fn(move |cx| future.poll(cx).map(TaskResult::new));
        let queue = Arc::clone(&self.0.queue);
        let schedule = move |task| queue.push(task);
        let ((runnable, task), listed) = self.0.tasks.insert(output, |output| {
            let spawned = async_task::spawn(Abortable::new(output, registration), schedule);
            (abort.clone(), spawned)
        });
        if listed {
            runnable.schedule();
        } else {
            abort.abort();
            runnable.run();
        }
        let task = Some(task);
        JoinHandle { task, abort }
    }
    // ANCHOR_END: spawn
}

impl Shared {
    fn work(&self) {
        while let Some(task) = self.queue.pop() {
            task.run();
            self.close_queue_if_done();
        }
    }

    /// Ends the workers once the runtime has been dropped and no task is left.
    fn close_queue_if_done(&self) {
        if self.tasks.is_done() {
            self.queue.close();
        }
    }
}

// ANCHOR: drop
impl Drop for Runtime {
    /// Only a worker can drop the future of such a task, so the workers end after the last one.
    fn drop(&mut self) {
        let shared = &self.handle.0;
        shared.tasks.close(AbortHandle::abort);
        shared.close_queue_if_done();
        // A worker cannot wait for the others, which wait until its own task is dropped.
        if !self.workers.include_caller() {
            self.workers.join();
        }
    }
}
// ANCHOR_END: drop

#[cfg(test)]
mod tests;

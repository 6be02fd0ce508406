//! Version 3: the runtime of version 2, with the tasks of the crate async-task.
//!
//! Its `Runnable` and its `Task` take the place of our [`Runnable`](crate::Runnable) and [`JoinHandle`](crate::JoinHandle).
//! Their state is one word too, with nearly the same bits. What is left to write is the handle's errors, and the abort, which
//! is a wrapper of the crate futures.
//!
//! Its `Runtime` and `Handle` have nearly the same lines as those of version 1, which says why they are written twice.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use async_task::{FallibleTask, Runnable};
use futures::future::{AbortHandle, Abortable, Aborted};

use crate::{
    JoinError, Queue,
    task_future::{Contained, TaskFuture, TaskResult},
    task_list::{RemoveOnDrop, TaskList},
    workers::Workers,
};

/// Runs tasks on several threads. Dropping it cancels every task that is not finished.
///
/// A task that is in the queue is not polled again once a spawn is refused.
///
/// ```
/// use step08_join_handle::v3_async_task::Runtime;
///
/// let runtime = Runtime::new(2);
/// let handle = runtime.handle().spawn(async { 6 * 7 });
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
    tasks: Arc<TaskList>,
}

/// Waits for a task, and returns its output or its panic. Dropping it detaches the task.
///
/// async-task clones, calls and drops the waker of the task that waits, and ends the process if one of these panics.
// ANCHOR: handle
#[derive(Debug)]
pub struct JoinHandle<T> {
    /// `None` only while it is dropped.
    task: Option<FallibleTask<Result<Contained<TaskResult<T>>, Aborted>>>,
    abort: AbortHandle,
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let task = self.task.as_mut().expect("it is not being dropped");
        Poll::Ready(match ready!(Pin::new(task).poll(cx)) {
            Some(Ok(result)) => result.into_inner().map_err(JoinError::panicked),
            // The runtime has ended, or the task was aborted.
            None | Some(Err(Aborted)) => Err(JoinError::cancelled()),
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
        self.task.as_ref().is_none_or(FallibleTask::is_finished)
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
                task.run();
            }
        });
        runtime
    }

    /// Returns a handle, which may be cloned, sent to other threads and moved into tasks.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }
}

impl Handle {
    /// Spawns a task. It runs whether its handle is awaited or not. If the runtime has been dropped, the future is dropped,
    /// and the handle says that the task was cancelled.
    // ANCHOR: spawn
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (abort, registration) = AbortHandle::new_pair();
        let mut future = TaskFuture::new(future);
        let output = poll_fn(move |cx| future.poll(cx).map(Contained::new));
        let queue = Arc::clone(&self.0.queue);
        let schedule = move |task| queue.push(task);
        let mut tasks = self.0.tasks.lock();
        let entry = tasks.vacant_entry();
        let output = RemoveOnDrop::new(output, &self.0.tasks, entry.key());
        let (runnable, task) = async_task::spawn(Abortable::new(output, registration), schedule);
        entry.insert(runnable.waker());
        drop(tasks);
        runnable.schedule();
        let task = Some(task.fallible());
        JoinHandle { task, abort }
    }
    // ANCHOR_END: spawn
}

impl Drop for Runtime {
    fn drop(&mut self) {
        let Shared { queue, tasks } = &*self.handle.0;
        tasks.close(queue);
        self.workers.join();
        tasks.close(queue); // what a worker had just taken from the queue
    }
}

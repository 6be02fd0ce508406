//! Version 3: the runtime of version 2, with the tasks of the crate async-task.
//!
//! Its `Runnable` and its `Task` take the place of our [`Runnable`](crate::Runnable) and [`JoinHandle`](crate::JoinHandle).
//! Their state is one word too, with bits of the same meaning. What is left to write is the list of tasks, the handle's
//! errors, and the abort, which is a wrapper of the crate futures.

use std::{
    collections::BTreeMap,
    fmt,
    future::{Future, poll_fn},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, ready},
};

use async_task::{Runnable, Task};
use futures::future::{AbortHandle, Abortable, Aborted};

use crate::{
    JoinError, Queue,
    contain::contain,
    task_future::{Payload, TaskFuture},
    workers::Workers,
};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Runs tasks on several threads. Dropping it aborts every task that is not finished.
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

struct Shared {
    queue: Arc<Queue<Runnable>>,
    tasks: Mutex<Tasks>,
}

#[derive(Default)]
struct Tasks {
    /// What aborts each task whose future has not been dropped.
    unfinished: BTreeMap<u64, AbortHandle>,
    next_id: u64,
    closed: bool,
}

/// Waits for a task, and gives out its output or its panic. Dropping it detaches the task.
// ANCHOR: handle
#[derive(Debug)]
pub struct JoinHandle<T> {
    /// `None` only while it is dropped.
    task: Option<Task<Result<Output<T>, Aborted>>>,
    abort: AbortHandle,
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let task = self.task.as_mut().expect("it is not being dropped");
        Poll::Ready(match ready!(Pin::new(task).poll(cx)) {
            Ok(output) => output.take().map_err(JoinError::panicked),
            Err(Aborted) => Err(JoinError::cancelled()),
        })
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        // Without this, the task would be cancelled, because that is what dropping a `Task` of async-task does.
        if let Some(task) = self.task.take() {
            task.detach();
        }
    }
}
// ANCHOR_END: handle

/// What a task returns. async-task drops it if there is no handle, and ends the process if its destructor panics.
struct Output<T>(Option<Result<T, Payload>>);

impl<T> Output<T> {
    fn take(mut self) -> Result<T, Payload> {
        self.0.take().expect("it is taken once")
    }
}

impl<T> Drop for Output<T> {
    fn drop(&mut self) {
        contain(|| self.0 = None);
    }
}

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
        let shared = Shared {
            queue: Arc::default(),
            tasks: Mutex::default(),
        };
        let runtime = Runtime {
            handle: Handle(Arc::new(shared)),
            workers: Workers::default(),
        };
        let queue = Arc::clone(&runtime.handle.0.queue);
        runtime.workers.start_all(workers, move || {
            while let Some(task) = queue.pop() {
                task.run();
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
    /// Spawns a task. If the runtime has been dropped, the future is dropped, and the handle says that the task was
    /// cancelled.
    // ANCHOR: spawn
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (abort, registration) = AbortHandle::new_pair();
        let (unlist, accepted) = self.list(abort.clone());
        let mut future = TaskFuture::new(future);
        // Not an `async` block: it would borrow from itself, and `Abortable` makes a shared reference to all of it.
        let future = poll_fn(move |cx| {
            let _owned = &unlist;
            future.poll(cx).map(|result| Output(Some(result)))
        });
        let queue = Arc::clone(&self.0.queue);
        let schedule = move |task| queue.push(task);
        let (runnable, task) = async_task::spawn(Abortable::new(future, registration), schedule);
        if accepted {
            runnable.schedule();
        } else {
            abort.abort();
            runnable.run();
        }
        let task = Some(task);
        JoinHandle { task, abort }
    }
    // ANCHOR_END: spawn

    /// Adds a task to the list, unless the runtime has been dropped.
    fn list(&self, abort: AbortHandle) -> (Unlist, bool) {
        let mut tasks = self.0.tasks();
        let id = tasks.next_id;
        tasks.next_id += 1;
        if !tasks.closed {
            tasks.unfinished.insert(id, abort);
        }
        (Unlist(Arc::clone(&self.0), id), !tasks.closed)
    }
}

// ANCHOR: drop
impl Drop for Runtime {
    /// Only a worker can drop the future of such a task, so the workers go on until the last task is dropped.
    fn drop(&mut self) {
        let shared = &self.handle.0;
        let unfinished: Vec<_> = {
            let mut tasks = shared.tasks();
            tasks.closed = true;
            tasks.unfinished.values().cloned().collect()
        };
        for task in unfinished {
            task.abort();
        }
        shared.close_queue_if_done();
        // A worker cannot wait for the others, because they wait until its own task is dropped.
        if !self.workers.include_caller() {
            self.workers.join();
        }
    }
}
// ANCHOR_END: drop

/// Takes a task out of the list when its future is dropped.
struct Unlist(Arc<Shared>, u64);

impl Drop for Unlist {
    fn drop(&mut self) {
        let task = self.0.tasks().unfinished.remove(&self.1);
        drop(task); // after the lock is released, because it may contain a waker
        self.0.close_queue_if_done();
    }
}

impl Shared {
    /// Ends the workers once the runtime has been dropped and no task is left.
    fn close_queue_if_done(&self) {
        let tasks = self.tasks();
        if tasks.closed && tasks.unfinished.is_empty() {
            drop(tasks);
            self.queue.close();
        }
    }

    fn tasks(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().expect(UNPOISONED)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unfinished = self.tasks().unfinished.len();
        write!(f, "{unfinished} unfinished tasks")
    }
}

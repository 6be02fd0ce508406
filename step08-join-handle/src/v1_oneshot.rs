//! Version 1: tasks with a lock, and a handle on a oneshot channel.
//!
//! The queue is shared by all workers, so two of them may take one task at the same time: it is woken while it is polled, and
//! a second worker receives it. That worker waits for the lock around the future. Version 2 has no worker wait.
//!
//! Version 3 has a `Runtime` and a `Handle` of nearly the same lines. They are written twice because each version is read from its
//! task to its runtime, and a type that both shared would have the task as a parameter, which hides how the task gets into the queue.

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
    lock::lock,
    sync::Mutex,
    task_future::{Contained, TaskFuture, TaskResult},
    task_list::{RemoveOnDrop, TaskList},
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
    queue: Queue<Entry>,
    tasks: Arc<TaskList>,
}

struct Task {
    /// Whether the task is in the queue.
    queued: Queued,
    /// Held by a worker while it polls. A second worker that has taken the same task from
    /// the queue waits for it.
    future: Mutex<TaskFuture<()>>,
    shared: Arc<Shared>,
}

/// A task that is in the queue, or that a worker has taken from it.
struct Entry(Arc<Task>);

/// Waits for a task, and returns its output or its panic. Dropping it detaches the task.
#[derive(Debug)]
pub struct JoinHandle<T> {
    /// Its destructor drops the waker of the task that waits.
    result: Contained<oneshot::Receiver<Contained<TaskResult<T>>>>,
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let result = self.result.0.as_mut().expect("it is not being dropped");
        Poll::Ready(match ready!(Pin::new(result).poll(cx)) {
            Ok(result) => result.into_inner().map_err(JoinError::panicked),
            // The sender was dropped, and so was the future, which owned it.
            Err(oneshot::Canceled) => Err(JoinError::cancelled()),
        })
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
            while let Some(entry) = shared.queue.pop() {
                entry.0.poll();
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
    /// and the task counts as cancelled.
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (sender, receiver) = oneshot::channel();
        let mut inner = TaskFuture::new(future);
        let outer = async move {
            let result = poll_fn(|cx| inner.poll(cx)).await;
            // Wakes the task that waits, with a waker that may panic. If the handle is gone, the
            // result comes back and is dropped.
            contain(|| sender.send(Contained::new(result)));
        };
        let mut tasks = self.0.tasks.lock();
        let entry = tasks.vacant_entry();
        let outer = RemoveOnDrop::new(outer, &self.0.tasks, entry.key());
        let task = Arc::new(Task {
            queued: Queued::no(),
            future: Mutex::new(TaskFuture::new(outer)),
            shared: Arc::clone(&self.0),
        });
        entry.insert(Waker::from(Arc::clone(&task)));
        drop(tasks);
        task.wake();
        let result = Contained::new(receiver);
        JoinHandle { result }
    }
}

impl Task {
    // ANCHOR: poll
    fn poll(self: &Arc<Self>) {
        // Waits here while another worker polls this task.
        let mut future = lock(&self.future);
        if future.is_finished() {
            return; // woken after it was finished
        }
        self.queued.clear();
        let waker = Waker::from(Arc::clone(self));
        let _ = future.poll(&mut Context::from_waker(&waker));
    }
    // ANCHOR_END: poll
}

/// When the runtime ends, the future is dropped with the entry.
impl Drop for Entry {
    fn drop(&mut self) {
        let Entry(task) = self;
        if task.shared.queue.is_stopped() {
            // A worker that polls the task at this moment has an entry too, and drops it after the poll.
            if let Ok(mut future) = task.future.try_lock() {
                contain(|| drop(future.discard()));
            }
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.queued.set() {
            self.shared.queue.push(Entry(Arc::clone(self)));
        }
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        let Shared { queue, tasks } = &*self.handle.0;
        tasks.close(queue);
        // A worker cannot wait for the others, because one of them may wait for the lock of the task that it polls.
        if !self.workers.include_caller() {
            self.workers.join();
        }
    }
}

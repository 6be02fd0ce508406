//! A task: a future, the state that all threads agree on, and a place for the result.
//!
//! Which thread may touch the future and the result is decided by the [`State`] alone. Their locks are there because safe
//! Rust cannot know that, and no thread ever waits for the lock of the future.

use std::{
    fmt,
    future::Future,
    mem,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

use crate::{
    JoinError, JoinHandle, Queue,
    contain::contain,
    lock::lock,
    sync::{Mutex, MutexGuard},
    task_future::TaskFuture,
};

use super::state::{Idle, Start, State};

/// Makes a task without a runtime, as the crate async-task does: a future, and the queue in which its wakers put it.
///
/// The task is not in the queue yet. The caller puts it there once, and from then on, its wakers do. If the caller drops
/// the `Runnable` instead, or the queue is closed, the task never runs, and its handle waits forever. A queue that holds
/// a task is referred to by that task, so close the queue when you no longer use it.
///
/// ```
/// use std::sync::Arc;
/// use step08_join_handle::{Queue, spawn_on};
///
/// let queue = Arc::new(Queue::new());
/// let (runnable, handle) = spawn_on(&queue, async { 6 * 7 });
/// queue.push(runnable);
/// queue.pop().unwrap().run();
/// assert_eq!(futures::executor::block_on(handle).unwrap(), 42);
/// ```
pub fn spawn_on<T: Send + 'static>(
    queue: &Arc<Queue<Runnable>>,
    future: impl Future<Output = T> + Send + 'static,
) -> (Runnable, JoinHandle<T>) {
    let task = Arc::new(Task {
        state: State::spawned(),
        future: Mutex::new(TaskFuture::new(future)),
        result: Mutex::new(None),
        waiting: Mutex::new(None),
        queue: Arc::clone(queue),
    });
    (Runnable(Arc::clone(&task) as _), JoinHandle::new(task))
}

// ANCHOR: struct
pub(super) struct Task<T> {
    pub(super) state: State,
    /// Belongs to the thread that has set `RUNNING`.
    future: Mutex<TaskFuture<T>>,
    /// Written before `FINISHED` is set. Then it belongs to the join handle, or if there is
    /// no handle any more, to the thread that has set `FINISHED`.
    result: Mutex<Option<Result<T, JoinError>>>,
    /// The waker of the join handle's latest poll.
    waiting: Mutex<Option<Waker>>,
    queue: Arc<Queue<Runnable>>,
}
// ANCHOR_END: struct

/// A reference to a task whose output may have any type. It is what the queue contains.
#[derive(Clone)]
#[must_use = "a task that is never run leaves its handle waiting"]
pub struct Runnable(Arc<dyn Run>);

trait Run: Send + Sync {
    fn run(self: Arc<Self>);
    fn shut_down(&self);
}

impl Runnable {
    /// Polls the task once, or drops its future if the task was aborted. A worker calls this once each time that it takes
    /// the task from the queue.
    pub fn run(self) {
        self.0.run();
    }

    /// Cancels the task, and drops its future on the calling thread, unless a worker is polling it. Then that worker
    /// drops it after the poll.
    pub(super) fn shut_down(&self) {
        self.0.shut_down();
    }
}

impl<T: Send + 'static> Run for Task<T> {
    // ANCHOR: run
    fn run(self: Arc<Self>) {
        match self.state.start() {
            Start::Poll => self.poll(),
            Start::Cancel => self.cancel(),
            Start::Nothing => {}
        }
    }
    // ANCHOR_END: run

    // ANCHOR: shut_down
    fn shut_down(&self) {
        if self.state.claim() {
            self.cancel();
        }
    }
    // ANCHOR_END: shut_down
}

impl<T: Send + 'static> Task<T> {
    // ANCHOR: poll
    fn poll(self: Arc<Self>) {
        let waker = Waker::from(Arc::clone(&self));
        let answer = self.future().poll(&mut Context::from_waker(&waker));
        match answer {
            Poll::Ready(result) => self.finish(result.map_err(JoinError::panicked)),
            Poll::Pending => match self.state.idle() {
                Idle::Nothing => {}
                Idle::Schedule => self.schedule(),
                Idle::Cancel => self.cancel(),
            },
        }
    }
    // ANCHOR_END: poll

    pub(super) fn schedule(self: &Arc<Self>) {
        self.queue.push(Runnable(Arc::clone(self) as _));
    }

    // ANCHOR: cancel
    fn cancel(&self) {
        let discarded = self.future().discard();
        self.finish(Err(match discarded {
            Ok(()) => JoinError::cancelled(),
            Err(payload) => JoinError::panicked(payload),
        }));
    }
    // ANCHOR_END: cancel

    // ANCHOR: finish
    fn finish(&self, result: Result<T, JoinError>) {
        *lock(&self.result) = Some(result);
        let finish = self.state.finish();
        if !finish.handle {
            let result = self.take_result();
            contain(|| drop(result));
        }
        if finish.waiting {
            let waker = lock(&self.waiting).take();
            contain(|| waker.map(Waker::wake));
        }
    }
    // ANCHOR_END: finish

    /// The future, which is never locked by two threads at once.
    fn future(&self) -> MutexGuard<'_, TaskFuture<T>> {
        let future = self.future.try_lock();
        future.expect("only the thread that has set RUNNING touches the future")
    }
}

impl<T> Task<T> {
    /// Takes the result. It is there once, after the task has finished.
    pub(super) fn take_result(&self) -> Option<Result<T, JoinError>> {
        lock(&self.result).take()
    }

    /// Stores the waker of the join handle in place of the earlier one, which is dropped. If that panics, nothing else is
    /// disturbed.
    pub(super) fn replace_waiting(&self, waker: Option<Waker>) {
        let earlier = mem::replace(&mut *lock(&self.waiting), waker);
        contain(|| drop(earlier));
    }
}

// ANCHOR: wake
impl<T: Send + 'static> Wake for Task<T> {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.state.wake() {
            self.schedule();
        }
    }
}
// ANCHOR_END: wake

impl fmt::Debug for Runnable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Runnable")
    }
}

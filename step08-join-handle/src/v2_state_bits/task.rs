//! A task: a future, the state that all threads agree on, and a place for the result. What any thread may do with a task is here: wake
//! it, or abort it. What a worker does with it is in `run.rs`, and what its handle does in `join_handle.rs`.
//!
//! Which thread may touch the future and the result is decided by the [`State`] alone. Their locks are there because safe
//! Rust cannot know that, and no thread ever waits for the lock of the future.

use std::{
    future::Future,
    sync::Arc,
    task::{Wake, Waker},
};

use crate::{JoinError, Queue, lock::lock, sync::Mutex, task_future::TaskFuture};

use super::{runnable::Runnable, state::State};

// ANCHOR: struct
pub(super) struct Task<T> {
    pub(super) state: State,
    /// Belongs to the thread that has set `RUNNING`.
    pub(super) future: Mutex<TaskFuture<T>>,
    /// Written before `FINISHED` is set. Then it belongs to the join handle, or if there is
    /// no handle any more, to the thread that has set `FINISHED`.
    pub(super) result: Mutex<Option<Result<T, JoinError>>>,
    /// The waker of the join handle's latest poll.
    pub(super) waiting: Mutex<Option<Waker>>,
    queue: Arc<Queue<Runnable>>,
}
// ANCHOR_END: struct

impl<T: Send + 'static> Task<T> {
    pub(super) fn new(
        queue: Arc<Queue<Runnable>>,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Task<T> {
        Task {
            state: State::spawned(),
            future: Mutex::new(TaskFuture::new(future)),
            result: Mutex::new(None),
            waiting: Mutex::new(None),
            queue,
        }
    }

    /// Cancels the task, or has a worker do so after its poll.
    pub(super) fn abort(self: &Arc<Self>) {
        if self.state.abort() {
            self.schedule();
        }
    }

    pub(super) fn schedule(self: &Arc<Self>) {
        self.queue.push(self.to_runnable());
    }

    pub(super) fn to_runnable(self: &Arc<Self>) -> Runnable {
        Runnable::new(Arc::clone(self) as _)
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

impl<T> Task<T> {
    /// Takes the result. It is there once, after the task has finished.
    pub(super) fn take_result(&self) -> Option<Result<T, JoinError>> {
        lock(&self.result).take()
    }
}

//! A task: a future, the state that all threads agree on, and a place for the result.
//!
//! Which thread may touch the future and the result is decided by the [`State`] alone. Their locks are there because safe
//! Rust cannot know that, and no thread ever waits for the lock of the future.

use std::{
    future::Future,
    mem,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

use crate::{
    JoinError, Queue,
    contain::contain,
    lock::lock,
    sync::{Mutex, MutexGuard},
    task_future::TaskFuture,
};

use super::{
    runnable::{Run, Runnable},
    state::{Idle, State},
};

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

impl<T: Send + 'static> Run for Task<T> {
    // ANCHOR: run
    fn run(self: Arc<Self>) {
        if self.state.start() {
            self.poll();
        } else {
            self.cancel();
        }
    }
    // ANCHOR_END: run

    // ANCHOR: discard
    fn discard(&self) {
        // Whatever it says, this thread has the future now, and wakes leave the task to it.
        let _ = self.state.start();
        self.cancel();
    }
    // ANCHOR_END: discard
}

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

    // ANCHOR: poll
    fn poll(self: Arc<Self>) {
        let waker = Waker::from(Arc::clone(&self));
        let answer = self.future().poll(&mut Context::from_waker(&waker));
        match answer {
            Poll::Ready(result) => self.finish(result.map_err(JoinError::panicked)),
            Poll::Pending => match self.state.idle() {
                Idle::Nothing => {}
                // Until it is in the queue, further wakes find SCHEDULED and leave it to this worker.
                Idle::Schedule => self.schedule(),
                Idle::Cancel => self.cancel(),
            },
        }
    }
    // ANCHOR_END: poll

    /// Cancels the task, or has a worker do so after its poll.
    pub(super) fn abort(self: &Arc<Self>) {
        if self.state.abort() {
            self.schedule();
        }
    }

    fn schedule(self: &Arc<Self>) {
        self.queue.push(self.to_runnable());
    }

    pub(super) fn to_runnable(self: &Arc<Self>) -> Runnable {
        Runnable::new(Arc::clone(self) as _)
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
        // First, because once the state says that the task is finished, the handle takes the result.
        *lock(&self.result) = Some(result);
        let finish = self.state.finish();
        // A handle that is dropped from now on drops the result itself.
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
    /// Polls the task for its result, on behalf of the join handle.
    // ANCHOR: poll_join
    pub(super) fn poll_join(&self, cx: &Context<'_>) -> Poll<Result<T, JoinError>> {
        if !self.state.is_finished() {
            let waker = cx.waker().clone();
            self.replace_waiting(Some(waker));
            // The task may have finished since, without seeing this waker.
            if !self.state.wait() {
                return Poll::Pending;
            }
            self.replace_waiting(None); // it may never be called
        }
        let result = self.take_result();
        Poll::Ready(result.expect("a `JoinHandle` was polled again after it was ready"))
    }
    // ANCHOR_END: poll_join

    /// The join handle is dropped.
    // ANCHOR: detach
    pub(super) fn detach(&self) {
        // The worker that finishes the task may have taken this waker already, and calls it.
        self.replace_waiting(None);
        if self.state.detach() {
            let result = self.take_result();
            contain(|| drop(result));
        }
    }
    // ANCHOR_END: detach

    /// Takes the result. It is there once, after the task has finished.
    fn take_result(&self) -> Option<Result<T, JoinError>> {
        lock(&self.result).take()
    }

    /// Stores the waker of the join handle in place of the earlier one, which is dropped. If that panics, nothing else is
    /// disturbed.
    fn replace_waiting(&self, waker: Option<Waker>) {
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

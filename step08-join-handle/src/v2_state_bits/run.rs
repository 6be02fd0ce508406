//! What a worker does with a task from the queue: it polls the future once, or drops it if the task was aborted, and stores the result of a
//! task that has finished.

use std::{
    sync::Arc,
    task::{Context, Poll, Waker},
};

use crate::{JoinError, contain::contain, lock::lock, sync::MutexGuard, task_future::TaskFuture};

use super::{runnable::Run, state::Idle, task::Task};

impl<T: Send + 'static> Run for Task<T> {
    fn run(self: Arc<Self>) {
        if self.state.start() {
            self.poll();
        } else {
            self.cancel();
        }
    }

    fn discard(&self) {
        // Whether to poll or to cancel, this thread has the future now, and wakes leave the task to it.
        let _ = self.state.start();
        self.cancel();
    }
}

impl<T: Send + 'static> Task<T> {
    // ANCHOR: poll
    fn poll(self: Arc<Self>) {
        let waker = Waker::from(Arc::clone(&self));
        let answer = self.future().poll(&mut Context::from_waker(&waker));
        match answer {
            Poll::Ready(result) => self.complete(result.map_err(JoinError::panicked)),
            Poll::Pending => match self.state.idle() {
                Idle::Nothing => {}
                // Until it is in the queue, further wakes find SCHEDULED and leave it to this worker.
                Idle::Schedule => self.schedule(),
                Idle::Cancel => self.cancel(),
            },
        }
    }
    // ANCHOR_END: poll

    fn cancel(&self) {
        let discarded = self.future().discard();
        self.complete(Err(match discarded {
            Ok(()) => JoinError::cancelled(),
            Err(payload) => JoinError::panicked(payload),
        }));
    }

    // ANCHOR: complete
    fn complete(&self, result: Result<T, JoinError>) {
        // Stored before the state says that the task is finished, since from then on the handle takes it.
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
    // ANCHOR_END: complete

    /// The future, which is never locked by two threads at once.
    fn future(&self) -> MutexGuard<'_, TaskFuture<T>> {
        let future = self.future.try_lock();
        future.expect("only the thread that has set RUNNING touches the future")
    }
}

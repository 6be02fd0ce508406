//! The end of the executor: what it does with the tasks that are left, and with those that come too late.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::Ordering::SeqCst,
    task::{Context, Waker},
};

use super::{Executor, Task};
use crate::{BoxFuture, Fault, lock::lock};

impl Executor {
    pub(super) fn shut_down(&self) {
        let mut unfinished = lock(&self.unfinished);
        self.closed.store(true, SeqCst);
        let tasks = mem::take(&mut *unfinished);
        let under_the_lock = (self.fault == Fault::CancelsUnderItsLock).then_some(unfinished);
        let queue = mem::take(&mut *lock(&self.queue));
        let ran = self.running.load(SeqCst);
        match self.fault {
            Fault::ForgetsTheUnrun if !ran => mem::forget(tasks),
            Fault::ForgetsWhatWaits if ran => mem::forget(tasks),
            Fault::LeavesTasksToTheirWakers => {}
            _ => tasks
                .into_values()
                .for_each(|task| self.cancel(task.take())),
        }
        drop(under_the_lock);
        drop(queue);
    }

    fn cancel(&self, future: Option<BoxFuture>) {
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(future)));
        assert!(
            dropped.is_ok() || self.fault != Fault::TrustsDestructorsAtTheEnd,
            "a destructor panicked"
        );
    }

    /// For a task that was spawned after the end.
    pub(super) fn refuse(&self, mut future: BoxFuture) {
        match self.fault {
            Fault::RefusesUnderItsLock => {
                let _unfinished = lock(&self.unfinished);
                self.cancel(Some(future));
            }
            Fault::KeepsWhatIsSpawnedLate => mem::forget(future),
            Fault::PollsWhatIsSpawnedLate => {
                let mut cx = Context::from_waker(Waker::noop());
                let _ = future.as_mut().poll(&mut cx);
            }
            _ => self.cancel(Some(future)),
        }
    }
}

impl Task {
    /// Takes the future out, to be dropped by the caller.
    fn take(&self) -> Option<BoxFuture> {
        lock(&self.future).take()
    }
}

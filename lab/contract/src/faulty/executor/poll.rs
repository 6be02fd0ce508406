//! A turn of the executor: it polls a task and, when that is finished, drops its future.

use std::{
    any::Any,
    mem,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, atomic::Ordering::SeqCst},
    task::{Context, Poll, Waker},
    thread,
};

use super::{A_MILLISECOND, Executor, Task};
use crate::{BoxFuture, Fault, lock::lock};

/// A future that is finished, unless a fault leaves it where it is, and its panic, if that finished it.
type Ended = (Option<BoxFuture>, Option<Box<dyn Any + Send>>);

impl Executor {
    pub(super) fn poll(&self, task: &Arc<Task>) {
        let _turn = match self.fault {
            Fault::PollsOneAtATime | Fault::MakesOthersWait => Some(lock(&self.polling)),
            _ => None,
        };
        self.polled.store(true, SeqCst);
        task.busy.store(true, SeqCst);
        let ended = self.poll_task(task);
        if self.fault == Fault::WakesIdleTasksByThreadLocal {
            thread::sleep(2 * A_MILLISECOND);
        }
        task.busy.store(false, SeqCst);
        let Some((future, panic)) = ended else {
            if self.fault == Fault::PollsUnasked && !task.finished.load(SeqCst) {
                self.schedule(task, true);
            }
            return;
        };
        match (panic, self.fault) {
            (Some(_), Fault::ForgetsWhatPanicked) => mem::forget(future),
            (Some(panic), Fault::LetsPanicsThrough) => resume_unwind(panic),
            (Some(_), Fault::EndsWithAPanic) => self.stop(),
            (Some(_), Fault::DropsWhatPanickedUnderItsLock) => {
                let _queue = lock(&self.queue);
                drop(future);
            }
            _ => self.drop_finished(future),
        }
        self.finish(task);
    }

    fn poll_task(&self, task: &Arc<Task>) -> Option<Ended> {
        let (_tasks, _queue);
        match self.fault {
            Fault::PollsUnderTheLockOfSpawn => _tasks = lock(&self.unfinished),
            Fault::PollsUnderTheLockOfWake => _queue = lock(&self.queue),
            _ => {}
        }
        task.poll()
    }

    fn drop_finished(&self, future: Option<BoxFuture>) {
        match self.fault {
            Fault::KeepsWhatIsReady => lock(&self.kept).extend(future),
            Fault::ForgetsWhatIsReady => mem::forget(future),
            Fault::TrustsDestructors => drop(future),
            Fault::DropsUnderItsLock => {
                let _queue = lock(&self.queue);
                drop(future);
            }
            _ => {
                let dropped = catch_unwind(AssertUnwindSafe(|| drop(future)));
                if dropped.is_err() && self.fault == Fault::EndsWithAPanic {
                    self.stop();
                }
            }
        }
    }

    fn finish(&self, task: &Arc<Task>) {
        if task.finished.swap(true, SeqCst) {
            return;
        }
        lock(&self.unfinished).remove(&task.id);
        match self.fault {
            Fault::WaitsForWakers => lock(&self.finished).push(Arc::downgrade(task)),
            Fault::LeavesAnAllocation => mem::forget(Box::new(task.id)),
            _ => {}
        }
        let _queue = lock(&self.queue);
        self.left.fetch_sub(1, SeqCst);
        self.changed.notify_all();
    }
}

impl Task {
    /// `None` if it is pending, or was finished before.
    fn poll(self: &Arc<Self>) -> Option<Ended> {
        let mut slot = lock(&self.future);
        let forgets = self.fault == Fault::ForgetsWakesInPoll;
        if !forgets {
            self.queued.store(false, SeqCst);
        }
        let future = slot.as_mut()?;
        let one_poll = self.one_poll();
        let waker = Waker::from(one_poll.clone());
        let clones = Arc::strong_count(&one_poll);
        self.deserted.store(false, SeqCst);
        let mut cx = Context::from_waker(&waker);
        let mut poll = || catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut cx)));
        let answer = poll();
        let again = match (self.fault, &answer) {
            (Fault::PollsWhatWokeItself, Ok(Poll::Ready(()))) => self.queued.load(SeqCst),
            (Fault::PollsAfterAPanic, Err(_)) => true,
            _ => false,
        };
        if again {
            let _ = poll();
        }
        match (answer, self.fault) {
            (Ok(Poll::Ready(())), Fault::PollsAfterReady) => {
                if let Some(executor) = self.executor.upgrade() {
                    executor.unschedule(self);
                }
                Some((None, None))
            }
            (Ok(Poll::Ready(())), _) => Some((slot.take(), None)),
            (Err(payload), Fault::KeepsWhatPanicked) => Some((None, Some(payload))),
            (Err(payload), _) => Some((slot.take(), Some(payload))),
            (Ok(Poll::Pending), _) => {
                let deserted = Arc::strong_count(&one_poll) <= clones;
                self.deserted.store(deserted, SeqCst);
                if forgets {
                    self.queued.store(false, SeqCst);
                }
                None
            }
        }
    }
}

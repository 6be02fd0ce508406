//! A turn of the executor: it polls a task and, when that is finished, drops its future.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, atomic::Ordering::SeqCst},
};

use super::{
    executor::Executor,
    fault::Fault,
    lock,
    task::{Ended, Task},
};
use crate::Task as Future;

impl Executor {
    pub(super) fn poll(&self, task: &Arc<Task>) {
        let _turn = match self.fault {
            Fault::PollsOneAtATime | Fault::MakesOthersWait => Some(lock(&self.polling)),
            _ => None,
        };
        self.polled.store(true, SeqCst);
        match self.poll_task(task) {
            Ended::Not if self.fault == Fault::PollsUnasked => self.schedule(task, true),
            Ended::Not => {}
            Ended::Before => {}
            Ended::Ready(future) => {
                self.drop_finished(future);
                self.finish(task);
            }
            Ended::Panicked(future, payload) => {
                match self.fault {
                    Fault::ForgetsWhatPanicked => mem::forget(future),
                    Fault::LetsPanicsThrough => resume_unwind(payload),
                    Fault::EndsWithAPanic => self.stop(),
                    Fault::DropsWhatPanickedUnderItsLock => {
                        let _queue = lock(&self.queue);
                        drop(future);
                    }
                    _ => self.drop_finished(future),
                }
                self.finish(task);
            }
        }
    }

    fn poll_task(&self, task: &Arc<Task>) -> Ended {
        let (_tasks, _queue);
        match self.fault {
            Fault::PollsUnderTheLockOfSpawn => _tasks = lock(&self.unfinished),
            Fault::PollsUnderTheLockOfWake => _queue = lock(&self.queue),
            _ => {}
        }
        task.poll()
    }

    fn drop_finished(&self, future: Option<Future>) {
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

//! What a wake does.

use std::{
    cell::RefCell,
    mem,
    sync::{Arc, atomic::Ordering::SeqCst},
    task::Wake,
};

use super::Task;
use crate::{Fault, lock::lock};

impl Task {
    /// What stands behind the waker of the next poll.
    pub(super) fn one_poll(self: &Arc<Self>) -> Arc<OnePoll> {
        let mut latest = lock(&self.latest);
        if let Some(same) = latest.upgrade() {
            if self.fault == Fault::ExpectsACloneInEachPoll {
                return same;
            }
        }
        let one = Arc::new(OnePoll {
            task: self.clone(),
            number: self.polls.fetch_add(1, SeqCst) + 1,
        });
        *latest = Arc::downgrade(&one);
        one
    }
}

/// What stands behind the waker of one poll.
pub(super) struct OnePoll {
    task: Arc<Task>,
    number: usize,
}

thread_local! {
    static WOKEN_HERE: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

impl OnePoll {
    fn wake(&self, panics: Fault) {
        let task = &self.task;
        let Some(executor) = task.executor.upgrade() else {
            assert!(task.fault != panics, "the executor is gone");
            return;
        };
        executor.let_others_wait();
        match task.fault {
            Fault::HearsItsOwnThreadOnly if !executor.is_home() => return,
            Fault::AWakerPerPoll if self.number != task.polls.load(SeqCst) => return,
            Fault::GivesUpTheLock if executor.queue.try_lock().is_err() => return,
            Fault::ExpectsACloneInEachPoll if task.deserted.load(SeqCst) => return,
            Fault::WakesIdleTasksByThreadLocal if task.busy.load(SeqCst) => {}
            Fault::WakesByThreadLocal | Fault::WakesIdleTasksByThreadLocal => {
                WOKEN_HERE.with_borrow_mut(|here| here.push(task.id));
            }
            Fault::PollsInWake if !executor.is_home() => return executor.poll(task),
            Fault::WakesEverybody => {
                let all: Vec<_> = lock(&executor.unfinished).values().cloned().collect();
                all.iter().for_each(|task| executor.schedule(task, true));
            }
            Fault::ServesItsOwnWakesFirst => {
                task.from_outside.store(!executor.is_home(), SeqCst);
            }
            _ => {}
        }
        executor.schedule(task, task.fault != Fault::SleepsThroughWakes);
        let busy = task.fault == Fault::PanicsWhenWokenInPoll && !executor.is_home();
        assert!(!busy || task.future.try_lock().is_ok(), "the task is busy");
    }
}

impl Wake for OnePoll {
    fn wake(self: Arc<Self>) {
        if self.task.fault != Fault::WakesByReferenceOnly {
            OnePoll::wake(&self, Fault::PanicsAfterTheEndByValue);
        }
        if self.task.fault == Fault::LeaksWhenWoken {
            mem::forget(self);
        }
    }

    fn wake_by_ref(self: &Arc<Self>) {
        match self.task.fault {
            Fault::WakesByValueOnly => {}
            Fault::ClonesWakeByValueOnly if Arc::strong_count(self) > 1 => {}
            _ => OnePoll::wake(self, Fault::PanicsAfterTheEnd),
        }
        if self.task.fault == Fault::LeaksWhenWokenByReference {
            mem::forget(self.clone());
        }
    }
}

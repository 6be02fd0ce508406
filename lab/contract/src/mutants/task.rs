//! A task of the executor, and its waker.

use std::{
    any::Any,
    cell::RefCell,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
};

use super::{defect::Defect, executor::Executor, lock};
use crate::Task as Future;

pub(super) struct Task {
    pub(super) id: usize,
    pub(super) queued: AtomicBool,
    pub(super) finished: AtomicBool,
    /// Last queued by another thread than the executor's: for mutants alone.
    pub(super) from_outside: AtomicBool,
    defect: Defect,
    executor: Weak<Executor>,
    /// `None` when it is finished or cancelled.
    future: Mutex<Option<Future>>,
    polls: AtomicUsize,
}

/// What came of a poll.
pub(super) enum Ended {
    Not,
    /// There was nothing to poll any more.
    Before,
    /// With the future, unless a mutant leaves it where it is.
    Ready(Option<Future>),
    Panicked(Option<Future>, Box<dyn Any + Send>),
}

impl Task {
    pub(super) fn new(executor: &Arc<Executor>, id: usize, future: Future) -> Arc<Task> {
        Arc::new(Task {
            id,
            queued: AtomicBool::new(false),
            finished: AtomicBool::new(false),
            from_outside: AtomicBool::new(false),
            defect: executor.defect,
            executor: Arc::downgrade(executor),
            future: Mutex::new(Some(future)),
            polls: AtomicUsize::new(0),
        })
    }

    pub(super) fn poll(self: &Arc<Self>) -> Ended {
        let mut slot = lock(&self.future);
        let forgets = self.defect == Defect::ForgetsWakesInPoll;
        if !forgets {
            self.queued.store(false, SeqCst);
        }
        let Some(future) = slot.as_mut() else {
            return Ended::Before;
        };
        let waker = Waker::from(Arc::new(OnePoll {
            task: self.clone(),
            number: self.polls.fetch_add(1, SeqCst) + 1,
        }));
        let mut cx = Context::from_waker(&waker);
        let mut poll = || catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut cx)));
        let answer = poll();
        let again = match (self.defect, &answer) {
            (Defect::PollsWhatWokeItself, Ok(Poll::Ready(()))) => self.queued.load(SeqCst),
            (Defect::PollsAfterAPanic, Err(_)) => true,
            _ => false,
        };
        if again {
            let _ = poll();
        }
        match (answer, self.defect) {
            (Ok(Poll::Ready(())), Defect::PollsAfterReady) => {
                if let Some(executor) = self.executor.upgrade() {
                    executor.unschedule(self);
                }
                Ended::Ready(None)
            }
            (Ok(Poll::Ready(())), _) => Ended::Ready(slot.take()),
            (Err(payload), Defect::KeepsWhatPanicked) => Ended::Panicked(None, payload),
            (Err(payload), _) => Ended::Panicked(slot.take(), payload),
            (Ok(Poll::Pending), _) => {
                if forgets {
                    self.queued.store(false, SeqCst);
                }
                Ended::Not
            }
        }
    }

    /// Takes the future out, to be dropped by the caller.
    pub(super) fn take(&self) -> Option<Future> {
        lock(&self.future).take()
    }
}

/// What stands behind the waker of one poll.
struct OnePoll {
    task: Arc<Task>,
    number: usize,
}

thread_local! {
    static WOKEN_HERE: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

impl OnePoll {
    fn wake(&self, panics: Defect) {
        let task = &self.task;
        let Some(executor) = task.executor.upgrade() else {
            assert!(task.defect != panics, "the executor is gone");
            return;
        };
        executor.let_others_wait();
        match task.defect {
            Defect::HearsItsOwnThreadOnly if !executor.is_home() => return,
            Defect::ForgetsEarlierWakers if self.number != task.polls.load(SeqCst) => return,
            Defect::GivesUpTheLock if executor.queue.try_lock().is_err() => return,
            Defect::WakesByThreadLocal => WOKEN_HERE.with_borrow_mut(|here| here.push(task.id)),
            Defect::PollsInWake if !executor.is_home() => return executor.poll(task),
            Defect::WakesEverybody => {
                let all: Vec<_> = lock(&executor.unfinished).values().cloned().collect();
                all.iter().for_each(|task| executor.schedule(task, true));
            }
            Defect::ServesItsOwnWakesFirst => {
                task.from_outside.store(!executor.is_home(), SeqCst);
            }
            _ => {}
        }
        executor.schedule(task, task.defect != Defect::SleepsThroughWakes);
        let busy = task.defect == Defect::PanicsWhenWokenInPoll && !executor.is_home();
        assert!(!busy || task.future.try_lock().is_ok(), "the task is busy");
    }
}

impl Wake for OnePoll {
    fn wake(self: Arc<Self>) {
        if self.task.defect != Defect::WakesByReferenceOnly {
            OnePoll::wake(&self, Defect::PanicsAfterTheEndByValue);
        }
        if self.task.defect == Defect::LeaksWhenWoken {
            mem::forget(self);
        }
    }

    fn wake_by_ref(self: &Arc<Self>) {
        match self.task.defect {
            Defect::WakesByValueOnly => {}
            Defect::ClonesWakeByValueOnly if Arc::strong_count(self) > 1 => {}
            _ => OnePoll::wake(self, Defect::PanicsAfterTheEnd),
        }
        if self.task.defect == Defect::LeaksWhenWokenByReference {
            mem::forget(self.clone());
        }
    }
}

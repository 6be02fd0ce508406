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

use super::{executor::Executor, fault::Fault, lock};
use crate::Task as Future;

pub(super) struct Task {
    pub(super) id: usize,
    pub(super) queued: AtomicBool,
    pub(super) finished: AtomicBool,
    /// Last queued by another thread than the executor's: for mutants alone.
    pub(super) from_outside: AtomicBool,
    fault: Fault,
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
            fault: executor.fault,
            executor: Arc::downgrade(executor),
            future: Mutex::new(Some(future)),
            polls: AtomicUsize::new(0),
        })
    }

    pub(super) fn poll(self: &Arc<Self>) -> Ended {
        let mut slot = lock(&self.future);
        let forgets = self.fault == Fault::ForgetsWakesInPoll;
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
                Ended::Ready(None)
            }
            (Ok(Poll::Ready(())), _) => Ended::Ready(slot.take()),
            (Err(payload), Fault::KeepsWhatPanicked) => Ended::Panicked(None, payload),
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
    fn wake(&self, panics: Fault) {
        let task = &self.task;
        let Some(executor) = task.executor.upgrade() else {
            assert!(task.fault != panics, "the executor is gone");
            return;
        };
        executor.let_others_wait();
        match task.fault {
            Fault::HearsItsOwnThreadOnly if !executor.is_home() => return,
            Fault::ForgetsEarlierWakers if self.number != task.polls.load(SeqCst) => return,
            Fault::GivesUpTheLock if executor.queue.try_lock().is_err() => return,
            Fault::WakesByThreadLocal => WOKEN_HERE.with_borrow_mut(|here| here.push(task.id)),
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

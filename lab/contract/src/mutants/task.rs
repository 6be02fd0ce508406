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
    thread,
};

use super::{defect::Defect, executor::Executor, lock};
use crate::Task as Future;

pub(super) struct Task {
    pub(super) id: usize,
    pub(super) queued: AtomicBool,
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
    Panicked(Future, Box<dyn Any + Send>),
}

impl Task {
    pub(super) fn new(executor: &Arc<Executor>, id: usize, future: Future) -> Arc<Task> {
        Arc::new(Task {
            id,
            queued: AtomicBool::new(false),
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
        let answer = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut cx)));
        match (answer, slot.take()) {
            (Ok(Poll::Ready(())), future) => {
                if self.defect == Defect::PollsAfterReady {
                    *slot = future;
                    return Ended::Ready(None);
                }
                Ended::Ready(future)
            }
            (Err(payload), Some(future)) => Ended::Panicked(future, payload),
            (_, future) => {
                *slot = future;
                if forgets {
                    self.queued.store(false, SeqCst);
                }
                Ended::Not
            }
        }
    }

    pub(super) fn cancel(&self) {
        let future = lock(&self.future).take();
        let _ = catch_unwind(AssertUnwindSafe(|| drop(future)));
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
    fn wake(&self) {
        let task = &self.task;
        let Some(executor) = task.executor.upgrade() else {
            assert!(
                task.defect != Defect::PanicsAfterTheEnd,
                "the executor is gone"
            );
            return;
        };
        match task.defect {
            Defect::HearsItsOwnThreadOnly if thread::current().id() != executor.home => return,
            Defect::ForgetsEarlierWakers if self.number != task.polls.load(SeqCst) => return,
            Defect::GivesUpTheLock if executor.queue.try_lock().is_err() => return,
            Defect::WakesByThreadLocal => WOKEN_HERE.with_borrow_mut(|here| here.push(task.id)),
            Defect::PollsInWake if task.future.try_lock().is_ok() => return executor.poll(task),
            Defect::WakesEverybody => {
                let all: Vec<_> = lock(&executor.unfinished).values().cloned().collect();
                all.iter().for_each(|task| executor.schedule(task, true));
            }
            _ => {}
        }
        executor.schedule(task, task.defect != Defect::SleepsThroughWakes);
    }
}

impl Wake for OnePoll {
    fn wake(self: Arc<Self>) {
        OnePoll::wake(&self);
        if self.task.defect == Defect::LeaksWhenWoken {
            mem::forget(self);
        }
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.task.defect != Defect::WakesByValueOnly {
            OnePoll::wake(self);
        }
    }
}

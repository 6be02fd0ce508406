//! A task: a turn of the executor, which polls it and drops its future when that is finished, and what a wake does.

use std::{
    any::Any,
    cell::RefCell,
    mem,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
};

use super::{A_MILLISECOND, Executor, under};
use crate::lock;
use runtime_contract::{BoxFuture, Fault};

#[derive(Default)]
pub(crate) struct Task {
    pub(super) id: usize,
    pub(super) queued: AtomicBool,
    pub(super) aborted: AtomicBool,
    pub(super) finished: AtomicBool,
    /// Last queued by another thread than the executor's: for faults alone.
    pub(super) from_outside: AtomicBool,
    /// To be polled before all others: for one fault alone.
    pub(super) is_next: AtomicBool,
    fault: Fault,
    executor: Weak<Executor>,
    /// `None` when it is finished or cancelled.
    pub(super) future: Mutex<Option<BoxFuture>>,
    polls: AtomicUsize,
    latest: Mutex<Weak<OnePoll>>,
    /// The worker that it belongs to, if it belongs to one.
    pub(super) worker: Option<usize>,
    /// For faults alone.
    busy: AtomicBool,
    deserted: AtomicBool,
}

impl Task {
    pub(super) fn new(executor: &Arc<Executor>, id: usize, future: BoxFuture) -> Arc<Task> {
        let is_placed =
            executor.fault == Fault::PlacesTasksInPairs && !executor.running.load(SeqCst);
        Arc::new(Task {
            id,
            fault: executor.fault,
            executor: Arc::downgrade(executor),
            future: Mutex::new(Some(future)),
            worker: Some(id / 2 % 2).filter(|_| is_placed),
            ..Task::default()
        })
    }

    /// Takes the future out, to be dropped by the caller.
    pub(super) fn take(&self) -> Option<BoxFuture> {
        lock(&self.future).take()
    }

    /// `None` if it is pending, or was finished before.
    fn poll(self: &Arc<Self>) -> Option<Ended> {
        let mut slot = lock(&self.future);
        let forgets = self.fault == Fault::ForgetsWakesInPoll;
        if !forgets {
            self.queued.store(false, SeqCst);
        }
        let future = slot.as_mut()?;
        if self.aborted.load(SeqCst) {
            return Some((slot.take(), None));
        }
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
            (Ok(Poll::Pending), fault)
                if self.aborted.load(SeqCst) && fault != Fault::MissesAnAbortInAPoll =>
            {
                Some((slot.take(), None))
            }
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

    /// What stands behind the waker of the next poll.
    fn one_poll(self: &Arc<Self>) -> Arc<OnePoll> {
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
        self.woken_in_poll.store(0, SeqCst);
        let ended = match self.fault {
            Fault::PollsUnderTheLockOfSpawn => under(lock(&self.unfinished), || task.poll()),
            Fault::PollsUnderTheLockOfWake => under(lock(&self.queue), || task.poll()),
            _ => task.poll(),
        };
        if self.fault == Fault::WakesIdleTasksByThreadLocal {
            thread::sleep(2 * A_MILLISECOND);
        }
        task.busy.store(false, SeqCst);
        let Some((future, panic)) = ended else {
            if self.fault == Fault::PollsUnasked && task.polls.load(SeqCst) % 2 == 1 {
                self.schedule(task, true);
            }
            return;
        };
        if panic.is_some() && self.fault == Fault::DropsItsNeighbour {
            let all = lock(&self.unfinished);
            let next = all.values().find(|other| other.id != task.id).cloned();
            drop(all);
            next.iter().for_each(|next| {
                self.cancel(next.take());
                self.finish(next);
            });
        }
        match (panic, self.fault) {
            (Some(_), Fault::ForgetsWhatPanicked) => mem::forget(future),
            (Some(panic), Fault::LetsPanicsThrough | Fault::SaysThatItLetsPanicsThrough) => {
                resume_unwind(panic)
            }
            (Some(_), Fault::EndsWithAPanic) => self.stop(),
            (panic, _) => {
                self.drop_finished(future);
                let drops = catch_unwind(AssertUnwindSafe(|| drop(panic)));
                if let (Err(panic), Fault::TrustsPayloads) = (drops, self.fault) {
                    resume_unwind(panic);
                }
            }
        }
        self.finish(task);
    }

    fn drop_finished(&self, future: Option<BoxFuture>) {
        match self.fault {
            Fault::KeepsWhatIsReady => lock(&self.kept).extend(future),
            Fault::ForgetsWhatIsReady => mem::forget(future),
            Fault::TrustsDestructors => drop(future),
            Fault::DropsUnderItsLock => {
                under(lock(&self.queue), || drop(future));
            }
            _ => {
                let dropped = catch_unwind(AssertUnwindSafe(|| drop(future)));
                if dropped.is_err() && self.fault == Fault::EndsWithAPanic {
                    self.stop();
                }
            }
        }
    }

    pub(super) fn finish(&self, task: &Arc<Task>) {
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
        let ends = task.fault == Fault::PanicsAsItEnds && executor.closed.load(SeqCst);
        assert!(!ends, "the executor ends");
        executor.let_others_wait();
        match task.fault {
            Fault::HearsItsOwnThreadOnly if !executor.is_home() => return,
            Fault::AWakerPerPoll if self.number != task.polls.load(SeqCst) => return,
            Fault::HearsNothingBetweenRuns if !executor.running.load(SeqCst) => return,
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
            Fault::KeepsFewWakesOfAPoll
                if executor.is_home() && executor.woken_in_poll.fetch_add(1, SeqCst) >= 512 =>
            {
                return;
            }
            Fault::WakersNameAPlace if task.finished.load(SeqCst) => {
                let latest = lock(&executor.unfinished).values().next_back().cloned();
                latest.iter().for_each(|task| executor.schedule(task, true));
                return;
            }
            Fault::PollsNextWhatATaskWoke if executor.is_home() => {
                task.is_next.store(!task.busy.load(SeqCst), SeqCst);
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

//! The executor: a queue, the tasks that are not finished, and one or two threads that poll.

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    mem,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Condvar, Mutex, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    thread::{self, ThreadId},
    time::Duration,
};

use super::{
    defect::Defect,
    lock,
    task::{Ended, Task},
};
use crate::Task as Future;

pub(super) const A_MILLISECOND: Duration = Duration::from_millis(1);

pub(super) struct Executor {
    pub(super) defect: Defect,
    pub(super) home: ThreadId,
    pub(super) queue: Mutex<VecDeque<Arc<Task>>>,
    pub(super) changed: Condvar,
    pub(super) unfinished: Mutex<BTreeMap<usize, Arc<Task>>>,
    /// Changed under the lock of the queue, since whoever sleeps there waits for zero.
    pub(super) left: AtomicUsize,
    spawned: AtomicUsize,
    running: AtomicBool,
    pub(super) stopped: AtomicBool,
    pub(super) polled: AtomicBool,
    /// For mutants alone.
    one_at_a_time: Mutex<()>,
    kept: Mutex<Vec<Future>>,
    finished: Mutex<Vec<Weak<Task>>>,
}

thread_local! {
    static SPAWNED_HERE: RefCell<Vec<Arc<Task>>> = const { RefCell::new(Vec::new()) };
}

impl Executor {
    pub(super) fn new(defect: Defect) -> Arc<Executor> {
        Arc::new(Executor {
            defect,
            home: thread::current().id(),
            queue: Mutex::default(),
            changed: Condvar::new(),
            unfinished: Mutex::default(),
            left: AtomicUsize::new(0),
            spawned: AtomicUsize::new(0),
            running: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            polled: AtomicBool::new(false),
            one_at_a_time: Mutex::default(),
            kept: Mutex::default(),
            finished: Mutex::default(),
        })
    }

    pub(super) fn spawn(self: &Arc<Self>, future: Future) {
        let task = Task::new(self, self.spawned.fetch_add(1, SeqCst), future);
        lock(&self.unfinished).insert(task.id, task.clone());
        self.left.fetch_add(1, SeqCst);
        if self.defect == Defect::SpawnsOnlyBeforeItRuns && self.running.load(SeqCst) {
            return;
        }
        if self.defect == Defect::KeepsWhatItSpawned && self.running.load(SeqCst) {
            return SPAWNED_HERE.with_borrow_mut(|here| here.push(task));
        }
        self.schedule(&task, self.defect != Defect::SleepsThroughSpawns);
    }

    pub(super) fn run(&self, workers: usize) {
        self.running.store(true, SeqCst);
        thread::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(|| self.work());
            }
            self.work();
        });
        if self.defect == Defect::WaitsForWakers {
            while lock(&self.finished)
                .iter()
                .any(|task| task.strong_count() > 0)
            {
                thread::sleep(A_MILLISECOND);
            }
        }
        lock(&self.kept).clear();
    }

    pub(super) fn stop(&self) {
        self.stopped.store(true, SeqCst);
        let _queue = lock(&self.queue);
        self.changed.notify_all();
    }

    fn work(&self) {
        while let Some(task) = self.next() {
            self.poll(&task);
            while let Some(task) = SPAWNED_HERE.with_borrow_mut(Vec::pop) {
                self.poll(&task);
            }
        }
    }

    pub(super) fn poll(&self, task: &Arc<Task>) {
        let one = Defect::PollsOneAtATime;
        let _turn = (self.defect == one).then(|| lock(&self.one_at_a_time));
        self.polled.store(true, SeqCst);
        match task.poll() {
            Ended::Not if self.defect == Defect::PollsUnasked => self.schedule(task, true),
            Ended::Not => {}
            Ended::Before => {}
            Ended::Ready(future) => {
                self.drop_finished(future);
                self.finish(task);
            }
            Ended::Panicked(future, payload) => {
                match self.defect {
                    Defect::ForgetsWhatPanicked => mem::forget(future),
                    Defect::LetsPanicsThrough => resume_unwind(payload),
                    _ => self.drop_finished(Some(future)),
                }
                self.finish(task);
            }
        }
    }

    fn drop_finished(&self, future: Option<Future>) {
        match self.defect {
            Defect::KeepsWhatIsReady => lock(&self.kept).extend(future),
            Defect::TrustsDestructors => drop(future),
            Defect::DropsUnderItsLock => {
                let _queue = lock(&self.queue);
                drop(future);
            }
            _ => drop(catch_unwind(AssertUnwindSafe(|| drop(future)))),
        }
    }

    fn finish(&self, task: &Arc<Task>) {
        lock(&self.unfinished).remove(&task.id);
        if self.defect == Defect::WaitsForWakers {
            lock(&self.finished).push(Arc::downgrade(task));
        }
        let _queue = lock(&self.queue);
        self.left.fetch_sub(1, SeqCst);
        self.changed.notify_all();
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        let tasks = mem::take(&mut *lock(&self.unfinished));
        match self.defect {
            Defect::ForgetsTheUnrun if !self.running.load(SeqCst) => mem::forget(tasks),
            Defect::LeavesTasksToTheirWakers => {}
            _ => tasks.into_values().for_each(|task| task.cancel()),
        }
    }
}

//! The executor: a queue, the tasks that are not finished, and one or two threads that poll.

mod task;

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    mem,
    ops::Deref,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Waker},
    thread::{self, ThreadId},
    time::Duration,
};

use self::task::Task;
use crate::lock;
use runtime_contract::{BoxFuture, Fault};

const A_MILLISECOND: Duration = Duration::from_millis(1);

#[derive(Default)]
pub(super) struct Executor {
    fault: Fault,
    home: Option<ThreadId>,
    queue: Mutex<VecDeque<Arc<Task>>>,
    changed: Condvar,
    unfinished: Mutex<BTreeMap<usize, Arc<Task>>>,
    /// Changed under the lock of the queue, since a thread that sleeps there waits for zero.
    left: AtomicUsize,
    spawned: AtomicUsize,
    running: AtomicBool,
    stopped: AtomicBool,
    /// Changed under the lock of the unfinished tasks.
    closed: AtomicBool,
    polled: AtomicBool,
    /// For faults alone.
    polling: Mutex<()>,
    in_a_row: AtomicUsize,
    woken_in_poll: AtomicUsize,
    kept: Mutex<Vec<BoxFuture>>,
    finished: Mutex<Vec<Weak<Task>>>,
}

/// Whose executor it is. Spawners and wakers may outlive it.
pub(super) struct Owner(Arc<Executor>);

impl Deref for Owner {
    type Target = Arc<Executor>;

    fn deref(&self) -> &Arc<Executor> {
        &self.0
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.shut_down();
    }
}

/// Does this while a lock is held.
fn under<G, T>(_held: G, f: impl FnOnce() -> T) -> T {
    f()
}

thread_local! {
    static SPAWNED_HERE: RefCell<Vec<Arc<Task>>> = const { RefCell::new(Vec::new()) };
}

impl Executor {
    pub(super) fn owned(fault: Fault) -> Owner {
        if fault == Fault::LeavesAnInstance {
            mem::forget(Box::new(fault));
        }
        Owner(Arc::new(Executor {
            fault,
            home: Some(thread::current().id()),
            ..Executor::default()
        }))
    }

    pub(super) fn spawn(self: &Arc<Self>, future: BoxFuture) -> Option<Arc<Task>> {
        self.let_others_wait();
        let running = self.running.load(SeqCst);
        let mut unfinished = lock(&self.unfinished);
        let refused = match self.fault {
            Fault::RefusesWhatIsSpawned if running => true,
            Fault::RefusesWhatOthersSpawn if running => !self.is_home(),
            Fault::RefusesWhenFull => unfinished.len() >= 4_096,
            _ => self.closed.load(SeqCst),
        };
        if refused {
            drop(unfinished);
            self.refuse(future);
            return None;
        }
        let task = Task::new(self, self.spawned.fetch_add(1, SeqCst), future);
        if self.fault != Fault::WakersOwnTasks {
            unfinished.insert(task.id, task.clone());
        }
        drop(unfinished);
        self.left.fetch_add(1, SeqCst);
        match self.fault {
            Fault::SpawnsOnlyBeforeItRuns if running => return None,
            Fault::KeepsWhatItSpawned if running => {
                SPAWNED_HERE.with_borrow_mut(|here| here.push(task));
                return None;
            }
            Fault::ServesItsOwnSpawnsFirst => task.from_outside.store(!self.is_home(), SeqCst),
            _ => {}
        }
        self.schedule(&task, self.fault != Fault::SleepsThroughSpawns);
        Some(task)
    }

    pub(super) fn abort(&self, task: &Arc<Task>) {
        task.aborted.store(true, SeqCst);
        match task.future.try_lock() {
            Ok(mut future) if self.fault != Fault::AbortsWhenWoken => {
                let future = future.take();
                if future.is_some() {
                    self.cancel(future);
                    self.finish(task);
                }
            }
            _ => {} // the code that polls it sees that
        }
    }

    fn is_home(&self) -> bool {
        Some(thread::current().id()) == self.home
    }

    /// Only a fault makes a task wait here.
    fn let_others_wait(&self) {
        if self.fault == Fault::MakesOthersWait && !self.is_home() {
            drop(lock(&self.polling));
        }
    }

    pub(super) fn run(&self, workers: usize) {
        static ONE: Mutex<()> = Mutex::new(());
        let _one = (self.fault == Fault::RunsOneAtATime).then(|| lock(&ONE));
        self.running.store(true, SeqCst);
        match self.fault {
            Fault::RunsNothing => return,
            Fault::LeavesAThread => drop(thread::spawn(thread::park)),
            Fault::PanicsBesides => {
                let _ = thread::spawn(|| panic!("there is nothing to clean up")).join();
            }
            _ => {}
        }
        thread::scope(|scope| {
            for worker in 1..workers {
                scope.spawn(move || self.work(worker));
            }
            self.work(0);
        });
        let has_wakers = |task: &Weak<Task>| task.strong_count() > 0;
        if self.fault == Fault::WaitsForWakers && lock(&self.finished).iter().any(has_wakers) {
            loop {
                thread::park();
            }
        }
        lock(&self.kept).clear();
        if self.fault == Fault::ForgetsItsQueueAtAStop {
            lock(&self.queue).clear();
        }
    }

    /// It can be run again.
    pub(super) fn restart(&self) {
        self.stopped.store(false, SeqCst);
        self.running.store(false, SeqCst);
    }

    pub(super) fn stop(&self) {
        self.stopped.store(true, SeqCst);
        let _queue = lock(&self.queue);
        self.changed.notify_all();
    }

    fn work(&self, worker: usize) {
        while let Some(task) = self.next(worker) {
            self.poll(&task);
            while let Some(task) = SPAWNED_HERE.with_borrow_mut(Vec::pop) {
                self.poll(&task);
            }
        }
    }

    /// Queues a task, unless it is queued, and wakes the threads that sleep.
    fn schedule(&self, task: &Arc<Task>, tell: bool) {
        let mut queue = lock(&self.queue);
        match self.fault {
            Fault::QueuesEveryWake => {}
            Fault::BlocksWhenFull => {
                while queue.len() >= 256 {
                    queue = self.wait(queue);
                }
            }
            Fault::TogglesWhenWoken if task.queued.fetch_xor(true, SeqCst) => {
                queue.retain(|queued| queued.id != task.id);
                return;
            }
            Fault::TogglesWhenWoken => {}
            _ if task.queued.swap(true, SeqCst) => return,
            Fault::DropsWhenFull if queue.len() >= 4_096 => return,
            _ => {}
        }
        if task.is_next.swap(false, SeqCst) {
            queue.push_front(task.clone());
        } else {
            queue.push_back(task.clone());
        }
        if tell {
            self.changed.notify_all();
        }
    }

    /// Takes a task out of the queue again.
    fn unschedule(&self, task: &Task) {
        lock(&self.queue).retain(|queued| queued.id != task.id);
        task.queued.store(false, SeqCst);
    }

    /// The next task to be polled, or `None` when it is over.
    fn next(&self, worker: usize) -> Option<Arc<Task>> {
        let mut queue = lock(&self.queue);
        loop {
            let waits_for_first =
                self.fault == Fault::WaitsForTheFirst && !self.polled.load(SeqCst);
            let over = self.left.load(SeqCst) == 0 && !waits_for_first;
            if over || self.stopped.load(SeqCst) {
                return None;
            }
            if self.fault == Fault::PollsAFewAndSleeps && self.in_a_row.fetch_add(1, SeqCst) == 256
            {
                self.in_a_row.store(0, SeqCst);
                queue = self.wait(queue);
                continue;
            }
            let task = match self.fault {
                Fault::LastInFirstOut => queue.pop_back(),
                Fault::ServesItsOwnSpawnsFirst | Fault::ServesItsOwnWakesFirst => {
                    let own = queue
                        .iter()
                        .position(|task| !task.from_outside.load(SeqCst));
                    queue.remove(own.unwrap_or(0))
                }
                Fault::PlacesTasksInPairs => {
                    let mine = |task: &Arc<Task>| task.worker.is_none_or(|place| place == worker);
                    let place = queue.iter().position(mine);
                    place.and_then(|place| queue.remove(place))
                }
                _ => queue.pop_front(),
            };
            if task.is_some() {
                return task;
            }
            match self.fault {
                Fault::StopsWhenIdle => return None,
                Fault::SpinsForWork | Fault::YieldsForWork => {
                    drop(queue);
                    if self.fault == Fault::YieldsForWork {
                        thread::yield_now();
                    }
                    queue = lock(&self.queue);
                    continue;
                }
                // So that a wake is sure to come while the queue is locked.
                Fault::GivesUpTheLock => thread::sleep(2 * A_MILLISECOND),
                _ => {}
            }
            self.in_a_row.store(0, SeqCst);
            queue = self.wait(queue);
        }
    }

    fn wait<'a, T>(&self, queue: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.changed
            .wait(queue)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn shut_down(&self) {
        let mut unfinished = lock(&self.unfinished);
        let tasks = mem::take(&mut *unfinished);
        if self.fault == Fault::ClosesInTwoSteps {
            for _ in 0..50 {
                drop(unfinished);
                thread::sleep(A_MILLISECOND); // until another thread has spawned
                unfinished = lock(&self.unfinished);
                if !unfinished.is_empty() {
                    break;
                }
            }
            mem::forget(mem::take(&mut *unfinished));
        }
        self.closed.store(true, SeqCst);
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
    fn refuse(&self, mut future: BoxFuture) {
        match self.fault {
            Fault::RefusesUnderItsLock => {
                under(lock(&self.unfinished), || self.cancel(Some(future)));
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

//! The executor: a queue, the tasks that are not finished, and one or two threads that poll.
//!
//! What all its parts know is here. Below are its queue, its turns, its wakers and its end.

mod poll;
mod queue;
mod shutdown;
mod waker;

use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    mem,
    ops::Deref,
    sync::{
        Arc, Condvar, Mutex, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    thread::{self, ThreadId},
    time::Duration,
};

use self::waker::OnePoll;
use crate::{BoxFuture, Fault, lock::lock};

const A_MILLISECOND: Duration = Duration::from_millis(1);

pub(super) struct Executor {
    fault: Fault,
    home: ThreadId,
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
    kept: Mutex<Vec<BoxFuture>>,
    finished: Mutex<Vec<Weak<Task>>>,
}

struct Task {
    id: usize,
    queued: AtomicBool,
    finished: AtomicBool,
    /// Last queued by another thread than the executor's: for faults alone.
    from_outside: AtomicBool,
    fault: Fault,
    executor: Weak<Executor>,
    /// `None` when it is finished or cancelled.
    future: Mutex<Option<BoxFuture>>,
    polls: AtomicUsize,
    latest: Mutex<Weak<OnePoll>>,
    /// The worker that it belongs to, if it belongs to one.
    worker: Option<usize>,
    /// For faults alone.
    busy: AtomicBool,
    deserted: AtomicBool,
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
            home: thread::current().id(),
            queue: Mutex::default(),
            changed: Condvar::new(),
            unfinished: Mutex::default(),
            left: AtomicUsize::new(0),
            spawned: AtomicUsize::new(0),
            running: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            polled: AtomicBool::new(false),
            polling: Mutex::default(),
            kept: Mutex::default(),
            finished: Mutex::default(),
        }))
    }

    pub(super) fn spawn(self: &Arc<Self>, future: BoxFuture) {
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
            return self.refuse(future);
        }
        let task = Task::new(self, self.spawned.fetch_add(1, SeqCst), future);
        if self.fault != Fault::WakersOwnTasks {
            unfinished.insert(task.id, task.clone());
        }
        drop(unfinished);
        self.left.fetch_add(1, SeqCst);
        match self.fault {
            Fault::SpawnsOnlyBeforeItRuns if running => return,
            Fault::KeepsWhatItSpawned if running => {
                return SPAWNED_HERE.with_borrow_mut(|here| here.push(task));
            }
            Fault::ServesItsOwnSpawnsFirst => task.from_outside.store(!self.is_home(), SeqCst),
            _ => {}
        }
        self.schedule(&task, self.fault != Fault::SleepsThroughSpawns);
    }

    fn is_home(&self) -> bool {
        thread::current().id() == self.home
    }

    /// Only a fault makes a task wait here.
    fn let_others_wait(&self) {
        if self.fault == Fault::MakesOthersWait && !self.is_home() {
            drop(lock(&self.polling));
        }
    }

    pub(super) fn run(&self, workers: usize) {
        self.running.store(true, SeqCst);
        match self.fault {
            Fault::RunsNothing => return,
            Fault::LeavesAThread => drop(thread::spawn(thread::park)),
            _ => {}
        }
        thread::scope(|scope| {
            for worker in 1..workers {
                scope.spawn(move || self.work(worker));
            }
            self.work(0);
        });
        if self.fault == Fault::WaitsForWakers {
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

    fn work(&self, worker: usize) {
        while let Some(task) = self.next(worker) {
            self.poll(&task);
            while let Some(task) = SPAWNED_HERE.with_borrow_mut(Vec::pop) {
                self.poll(&task);
            }
        }
    }
}

impl Task {
    fn new(executor: &Arc<Executor>, id: usize, future: BoxFuture) -> Arc<Task> {
        let is_placed =
            executor.fault == Fault::PlacesTasksInPairs && !executor.running.load(SeqCst);
        Arc::new(Task {
            id,
            queued: AtomicBool::new(false),
            finished: AtomicBool::new(false),
            from_outside: AtomicBool::new(false),
            fault: executor.fault,
            executor: Arc::downgrade(executor),
            future: Mutex::new(Some(future)),
            polls: AtomicUsize::new(0),
            latest: Mutex::default(),
            worker: Some(id / 2 % 2).filter(|_| is_placed),
            busy: AtomicBool::new(false),
            deserted: AtomicBool::new(false),
        })
    }
}

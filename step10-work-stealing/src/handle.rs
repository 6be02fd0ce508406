//! What all threads share of a runtime, and what they may do with it: spawn, sleep, and register a descriptor.

use std::{fmt, future::Future, io, rc::Rc, sync::Arc, task::Waker, time::Duration};

use crossbeam_deque::{Steal, Stealer};
use futures_lite::future;

use crate::{
    JoinHandle, Park, Reactor, Registered, Sleep, Version, WorkerMetrics,
    context::{self, Current},
    idle::Idle,
    injector::Injector,
    list::{Entry, List},
    metrics::Counts,
    parking::Parking,
    selector::AsIo,
    sync::{
        Mutex,
        atomic::{self, AtomicBool, Ordering},
    },
    task::{self, Place, Schedule, Slot, Task, Why},
    time_driver::TimeDriver,
};

/// Spawns tasks on a [`Runtime`](crate::Runtime), from any thread.
#[derive(Clone)]
pub struct Handle(Arc<Shared>);

// ANCHOR: shared
/// What the runtime, its handles, its workers and its tasks share.
pub(crate) struct Shared {
    pub(crate) version: Version,
    /// The tasks that come from outside.
    pub(crate) injector: Injector,
    /// What the others may see and touch of each worker.
    pub(crate) workers: Box<[Remote]>,
    pub(crate) idle: Idle,
    /// Where one worker at a time sleeps, and waits for timers and sockets.
    pub(crate) driver: Arc<TimeDriver>,
    /// Locked by the worker that is in the driver.
    pub(crate) driving: Mutex<()>,
    reactor: Option<Arc<Reactor>>,
    /// The unfinished tasks that have ever had to wait.
    pub(crate) waiting: List,
    /// The runtime has ended: no poll begins any more. A thread that puts a task somewhere looks at this afterwards, or
    /// under the lock of that place.
    closed: AtomicBool,
}

/// What the others may see and touch of a worker. In cache lines of its own, because the worker writes it at each poll.
#[repr(align(128))]
pub(crate) struct Remote {
    pub(crate) stealer: Stealer<Task>,
    pub(crate) parking: Parking,
    pub(crate) counts: Counts,
    /// What the worker has woken last, and polls next.
    pub(crate) slot: Slot,
}
// ANCHOR_END: shared

impl Handle {
    pub(crate) fn new(
        version: Version,
        stealers: impl Iterator<Item = Stealer<Task>>,
        driver: TimeDriver,
        reactor: Option<Arc<Reactor>>,
    ) -> Handle {
        let workers: Box<[Remote]> = stealers
            .map(|stealer| Remote {
                stealer,
                parking: Parking::default(),
                counts: Counts::default(),
                slot: Slot::default(),
            })
            .collect();
        Handle(Arc::new(Shared {
            version,
            injector: Injector::new(),
            idle: Idle::new(workers.len()),
            workers,
            driver: Arc::new(driver),
            driving: Mutex::new(()),
            reactor,
            waiting: List::new(),
            closed: AtomicBool::new(false),
        }))
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0
    }

    /// Spawns a task. If the runtime has been shut down, the future is dropped, and the handle says that the task was
    /// cancelled.
    pub fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let shared = Arc::clone(&self.0);
        let (task, handle) = task::spawn(future, Scheduler(shared));
        place(&self.0).put(task, Why::Woken);
        // Put, fence, look: `close` sets the flag, and then looks into the queues. So one of the two sees the other.
        atomic::fence(Ordering::SeqCst);
        if self.0.is_closed() {
            handle.shut_down();
        }
        handle
    }

    /// Runs a future to its end on the calling thread, as [`Runtime::block_on`](crate::Runtime::block_on) does.
    ///
    /// # Panics
    ///
    /// If the future panics, or if it is called inside a task.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        assert!(
            context::here().is_none_or(|current| current.local.is_none()),
            "`block_on` was called inside a task, and would block its worker: use `.await`"
        );
        let _entered = context::enter(self.clone(), None);
        future::block_on(future)
    }

    /// Waits until `duration` has passed since this call, as [`sleep`](crate::time::sleep) does, on this runtime.
    pub fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(Arc::clone(&self.0.driver), duration)
    }

    /// Registers a non-blocking object with this runtime.
    ///
    /// # Errors
    ///
    /// If the system cannot watch it, or has no memory for it, or if the runtime has no reactor or has been shut down.
    pub fn register<T: AsIo + Send + Sync + 'static>(&self, io: T) -> io::Result<Registered<T>> {
        Registered::with(self.reactor()?, io, true)
    }

    /// The reactor, where descriptors are registered.
    pub(crate) fn reactor(&self) -> io::Result<Arc<Reactor>> {
        let none = "this runtime has no reactor, so it cannot wait for a descriptor";
        let reactor = self.0.reactor.clone();
        reactor.ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, none))
    }

    /// What each worker has done so far.
    pub fn metrics(&self) -> Vec<WorkerMetrics> {
        self.0.workers.iter().map(|it| it.counts.read()).collect()
    }
}

impl Shared {
    /// Puts a task into the queue of all workers.
    // ANCHOR: inject
    pub(crate) fn inject(&self, task: Task) {
        self.injector.push(task, &self.closed);
        // All threads see the push before the look at who sleeps. The accesses are `SeqCst`, which is enough for Rust,
        // but loom treats them as weaker ones.
        atomic::fence(Ordering::SeqCst);
        self.wake_one();
    }
    // ANCHOR_END: inject

    /// Wakes a sleeping worker, unless one is searching already. To be called after a task has been put into a queue.
    pub(crate) fn wake_one(&self) {
        if let Some(worker) = self.idle.worker_to_wake() {
            self.unpark(worker);
        }
    }

    pub(crate) fn unpark(&self, worker: usize) {
        if self.workers[worker].parking.unpark() {
            self.driver.unpark();
        }
    }

    /// Whether there is a task in a queue that everyone can take from.
    pub(crate) fn is_anything_queued(&self) -> bool {
        let stealing = self.version >= Version::Stealing;
        !self.injector.is_empty()
            || stealing && self.workers.iter().any(|it| !it.stealer.is_empty())
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Ends the workers, and drops the future of every task that is not being polled.
    ///
    /// A task that has waited is in the list. So a thread that wakes it from now on need not put it anywhere, and drops
    /// no future, which is important: it may hold a lock that the destructor of the future needs.
    // ANCHOR: close
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        atomic::fence(Ordering::SeqCst); // what was put into a queue before the flag could be seen is found below
        (0..self.workers.len()).for_each(|worker| self.unpark(worker));
        for task in self.waiting.tasks() {
            task.shut_down();
        }
        for task in self.injector.take_all() {
            task.shut_down();
        }
        // A poll that blocks its worker may wait for one of these, and the end waits for that poll.
        for worker in &self.workers {
            if let Some(task) = worker.slot.take() {
                task.shut_down();
            }
            loop {
                match worker.stealer.steal() {
                    Steal::Success(task) => task.shut_down(),
                    Steal::Empty => break,
                    Steal::Retry => {} // its worker came at once
                }
            }
        }
    }
    // ANCHOR_END: close

    /// Closes the driver. Returns the wakers of the tasks that wait for a timer or a socket, to be told.
    pub(crate) fn close_driver(&self) -> Vec<Waker> {
        let mut due = self.driver.close();
        if let Some(reactor) = &self.reactor {
            reactor.close(&mut due);
        }
        due
    }
}

/// What a task knows of its runtime.
// ANCHOR: scheduler
struct Scheduler(Arc<Shared>);

/// Where a task goes.
pub(crate) enum To {
    /// To the worker on which this thread runs.
    Local(Rc<Current>),
    /// To the queue of all workers.
    Injector(Arc<Shared>),
}

impl Schedule for Scheduler {
    type Place = To;
    type Entry = Entry;

    fn place(&self) -> To {
        place(&self.0)
    }

    fn list(&self, task: &Task) -> Option<Entry> {
        self.0.waiting.insert(task, &self.0.closed)
    }

    fn unlist(&self, entry: Entry) -> Option<Task> {
        self.0.waiting.remove(entry)
    }
}

/// Where a task of this runtime goes that is spawned or woken by this thread.
fn place(shared: &Arc<Shared>) -> To {
    match context::here() {
        Some(current) if current.local.is_some() && Arc::ptr_eq(&current.handle.0, shared) => {
            To::Local(current)
        }
        _ => To::Injector(Arc::clone(shared)),
    }
}

impl Place for To {
    fn put(self, task: Task, why: Why) {
        match self {
            To::Local(current) => match &current.local {
                Some(local) => local.push(task, why),
                None => unreachable!("`place` has looked"),
            },
            To::Injector(shared) => shared.inject(task),
        }
    }
}
// ANCHOR_END: scheduler

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = self.0.waiting.len();
        write!(f, "Handle({waiting} tasks wait, {:?})", self.0.idle)
    }
}

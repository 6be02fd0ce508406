//! Version 2: a waker sends its task's name over a channel, and the runtime polls only what it receives.
//!
//! Stage 04 did that too, but there the wakers owned the tasks. Here the *runtime* owns them, as tokio does, and a
//! waker is an address. So the runtime knows when all are done, and can drop them all.

use std::{
    cell::Cell,
    collections::HashMap,
    fmt,
    future::Future,
    mem,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, Sender},
    },
    task::Context,
};

use futures::task::{ArcWake, waker_ref};

use crate::{Queued, TaskFuture};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// A runtime on one thread: the one that calls [`run`](MiniTokio::run).
///
/// Dropping it drops every task that is not done. One that is moved into a task of its own cannot run any more, and is
/// leaked with all its tasks.
///
/// ```
/// use step07_mini_tokio::MiniTokio;
///
/// let mini_tokio = MiniTokio::new();
/// let handle = mini_tokio.handle();
/// mini_tokio.spawn(async move {
///     println!("Hello");
///     handle.spawn(async { println!("world") });
/// });
/// mini_tokio.run();
/// ```
#[derive(Debug)]
pub struct MiniTokio {
    scheduled: Receiver<Arc<Task>>,
    handle: Handle,
    /// `run` is on the stack.
    running: Cell<bool>,
}

/// Spawns tasks on a [`MiniTokio`], from any thread, and from inside a task too.
#[derive(Debug, Clone)]
pub struct Handle {
    scheduler: Sender<Arc<Task>>,
    tasks: Arc<Mutex<Tasks>>,
}

// ANCHOR: tasks
/// What is not done yet.
#[derive(Default)]
struct Tasks {
    /// A task that is being polled is not in here.
    futures: HashMap<u64, TaskFuture>,
    next: u64,
    /// The runtime is gone, and lets no task in any more.
    closed: bool,
}

/// What a waker points to: a task's name, and the way to the runtime. The future is
/// elsewhere.
#[derive(Debug)]
struct Task {
    id: u64,
    queued: Queued,
    scheduler: Sender<Arc<Task>>,
}
// ANCHOR_END: tasks

impl MiniTokio {
    /// A runtime without tasks.
    pub fn new() -> MiniTokio {
        let (scheduler, scheduled) = mpsc::channel();
        let tasks = Arc::default();
        MiniTokio {
            scheduled,
            handle: Handle { scheduler, tasks },
            running: Cell::new(false),
        }
    }

    /// A handle, which may go to other threads and into tasks.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Adds a task. It is not polled before [`run`](MiniTokio::run).
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.handle.spawn(future);
    }

    /// Runs until every task is done; sleeps while none is scheduled. May be called again after more were spawned.
    ///
    /// A task that panics ends alone. A task that nobody will ever wake is waited for forever.
    ///
    /// # Panics
    ///
    /// If a task of this runtime calls it: the outer `run` has that task in its hands, and would miss its wakes.
    // ANCHOR: run
    pub fn run(&self) {
        assert!(
            !self.running.replace(true),
            "`run` is called by a task of the same runtime"
        );
        while !self.handle.lock().futures.is_empty() {
            let task = self.scheduled.recv().expect("the handle holds a sender");
            task.queued.clear();
            // Taken out, so that no lock is held during the poll. Not there: woken after it
            // was done.
            let taken = self.handle.lock().futures.remove(&task.id);
            if let Some(mut future) = taken {
                let waker = waker_ref(&task);
                if future.poll(&mut Context::from_waker(&waker)).is_pending() {
                    self.handle.lock().futures.insert(task.id, future);
                }
            }
        }
        self.running.set(false);
    }
    // ANCHOR_END: run
}

impl Default for MiniTokio {
    fn default() -> Self {
        MiniTokio::new()
    }
}

// ANCHOR: drop
impl Drop for MiniTokio {
    fn drop(&mut self) {
        let futures = {
            let mut tasks = self.handle.lock();
            tasks.closed = true;
            mem::take(&mut tasks.futures)
        };
        drop(futures); // the lock is free again: a destructor may wake, and may try to spawn
    }
}
// ANCHOR_END: drop

impl Handle {
    /// Adds a task. If the runtime is gone, the future is dropped, and not polled.
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let future = TaskFuture::new(future);
        let mut tasks = self.lock();
        if tasks.closed {
            return; // locals go in reverse order: first the lock, then `future`, whose destructor may need it
        }
        let id = tasks.next;
        tasks.next += 1;
        tasks.futures.insert(id, future);
        drop(tasks);
        Arc::new(Task {
            id,
            queued: Queued::no(),
            scheduler: self.scheduler.clone(),
        })
        .schedule();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Tasks> {
        self.tasks.lock().expect(UNPOISONED)
    }
}

impl Task {
    fn schedule(self: &Arc<Self>) {
        if self.queued.set() {
            // Nobody receives once the runtime is gone.
            let _ = self.scheduler.send(Arc::clone(self));
        }
    }
}

impl ArcWake for Task {
    fn wake_by_ref(task: &Arc<Self>) {
        task.schedule();
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} not done", self.futures.len())
    }
}

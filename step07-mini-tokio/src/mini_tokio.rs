//! The runtime: a waker sends its task's id, and the runtime polls only the tasks whose ids it receives.
//!
//! In stage 04, the queue and the wakers owned the tasks. Here the *runtime* owns every future, in a map, and a waker
//! refers to its future only by the id. So the runtime knows when all tasks are finished, and it can drop them all.

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
    task::{Context, Wake, Waker},
};

use crate::{Queued, TaskFuture};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// A runtime that polls its tasks on the thread that calls [`run`](MiniTokio::run).
///
/// Dropping it drops every task that is not finished. A runtime that is moved into one of its own tasks can no longer
/// be run, and is leaked together with its tasks.
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
// ANCHOR: runtime
#[derive(Debug)]
pub struct MiniTokio {
    /// The receiving end of the queue: the tasks that were woken and not polled since.
    queue: Receiver<Arc<Task>>,
    handle: Handle,
    /// Whether `run` has been called and has not returned yet.
    running: Cell<bool>,
}

/// Spawns tasks on a [`MiniTokio`], from any thread and from inside its tasks.
#[derive(Debug, Clone)]
pub struct Handle {
    to_queue: Sender<Arc<Task>>,
    tasks: Arc<Mutex<Tasks>>,
}
// ANCHOR_END: runtime

// ANCHOR: tasks
/// The tasks that are not finished.
#[derive(Default)]
struct Tasks {
    /// Each future under the id of its task, except for the one that is being polled.
    futures: HashMap<u64, TaskFuture>,
    next_id: u64,
    /// Whether the runtime has been dropped. Then no task is accepted any more.
    closed: bool,
}

/// What a waker points to. It names the future by its id and does not own it.
#[derive(Debug)]
struct Task {
    id: u64,
    /// Whether the task is in the queue already.
    queued: Queued,
    to_queue: Sender<Arc<Task>>,
}
// ANCHOR_END: tasks

impl MiniTokio {
    /// Creates a runtime without tasks.
    pub fn new() -> MiniTokio {
        let (to_queue, queue) = mpsc::channel();
        let tasks = Arc::default();
        MiniTokio {
            queue,
            handle: Handle { to_queue, tasks },
            running: Cell::new(false),
        }
    }

    /// Returns a handle, which may be sent to other threads and moved into tasks.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Adds a task. It is first polled by [`run`](MiniTokio::run).
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.handle.spawn(future);
    }

    /// Polls the tasks that are woken until every task is finished, and sleeps while the queue is empty.
    ///
    /// A task that panics is finished; the others run on. If a task is pending and will never be woken, `run` never
    /// returns. It may be called again after more tasks have been spawned.
    ///
    /// # Panics
    ///
    /// If a task of this runtime calls it. The calling task is out of the map while it is polled, so an inner `run`
    /// would take a wake of that task from the queue, find no future for it, and lose the wake.
    // ANCHOR: run
    pub fn run(&self) {
        assert!(
            !self.running.replace(true),
            "a task of this runtime has called `run`"
        );
        while !self.handle.lock().futures.is_empty() {
            let task = self.queue.recv().expect("the handle holds a sender");
            task.queued.clear();
            // The future is taken out of the map, so that no lock is held during the poll.
            // If it is not there, the task was woken after it had finished.
            let id = task.id;
            let taken = self.handle.lock().futures.remove(&id);
            if let Some(mut future) = taken {
                let waker = Waker::from(task);
                if future.poll(&mut Context::from_waker(&waker)).is_pending() {
                    self.handle.lock().futures.insert(id, future);
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
        drop(futures); // after the lock is released, because a destructor may try to spawn
    }
}
// ANCHOR_END: drop

impl Handle {
    /// Adds a task and schedules its first poll. If the runtime has been dropped, drops the future without polling it.
    // ANCHOR: spawn
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let future = TaskFuture::new(future);
        let mut tasks = self.lock();
        if tasks.closed {
            return; // drops the guard, then `future`, whose destructor may spawn
        }
        let id = tasks.next_id;
        tasks.next_id += 1;
        // The map comes first: as soon as the task is in the queue, the runtime may receive it on
        // another thread, and would treat a task that is not in the map as finished.
        tasks.futures.insert(id, future);
        drop(tasks);
        Arc::new(Task {
            id,
            queued: Queued::no(),
            to_queue: self.to_queue.clone(),
        })
        .wake();
    }
    // ANCHOR_END: spawn

    fn lock(&self) -> std::sync::MutexGuard<'_, Tasks> {
        self.tasks.lock().expect(UNPOISONED)
    }
}

// ANCHOR: schedule
impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.queued.set() {
            // This fails if the runtime has been dropped, and then there is nothing to poll.
            let _ = self.to_queue.send(Arc::clone(self));
        }
    }
}
// ANCHOR_END: schedule

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} not finished", self.futures.len())
    }
}

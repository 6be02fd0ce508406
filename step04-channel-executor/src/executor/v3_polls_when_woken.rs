//! Version 3: a waker sends its task into the queue, so a task is polled when it has been spawned or woken, and only then.
//!
//! This is the idea of the stage, and little else. Version 4 adds what is missing: `run` returns although a waker is kept, and
//! no future is dropped by another thread, which may hold a lock that the future's destructor takes.

use std::future::Future;
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Wake, Waker};

use crate::{Queued, task_future::TaskFuture};

/// Runs tasks on the thread that calls [`run`](Executor::run).
#[derive(Debug)]
// ANCHOR: structs
pub struct Executor {
    queue: mpsc::Receiver<Arc<Task>>,
}

/// Gives tasks to an [`Executor`], from any thread and from inside a task.
#[derive(Debug, Clone)]
pub struct Spawner {
    sender: mpsc::Sender<Arc<Task>>,
}

/// What a waker points to.
struct Task {
    /// Locked by the executor alone. Threads share what a waker points to, so it must be `Sync`.
    future: Mutex<TaskFuture>,
    queued: Queued,
    sender: mpsc::Sender<Arc<Task>>,
}
// ANCHOR_END: structs

/// Creates an executor and a spawner for it.
pub fn executor() -> (Executor, Spawner) {
    let (sender, queue) = mpsc::channel();
    (Executor { queue }, Spawner { sender })
}

impl Spawner {
    /// Gives the executor a task. If the executor is gone, the future is dropped without being polled.
    // ANCHOR: spawn
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let task = Arc::new(Task {
            future: Mutex::new(TaskFuture::new(future)),
            queued: Queued::no(),
            sender: self.sender.clone(),
        });
        task.wake();
    }
    // ANCHOR_END: spawn
}

// ANCHOR: wake
impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    // The default would clone the `Arc` even if the task is in the queue already.
    fn wake_by_ref(self: &Arc<Self>) {
        if self.queued.set() {
            // This fails if the executor is gone, and then no thread is left to poll the task.
            let _ = self.sender.send(Arc::clone(self));
        }
    }
}
// ANCHOR_END: wake

impl Executor {
    /// Runs until every unfinished task, [`Spawner`] and waker is gone. Sleeps while no task has been woken.
    // ANCHOR: run
    pub fn run(self) {
        while let Ok(task) = self.queue.recv() {
            // Cleared before the poll, because a thread that wakes the task during the poll must
            // send it again. The poll may have missed what the wake is for.
            task.queued.clear();
            let waker = Waker::from(Arc::clone(&task));
            let mut future = task.future.lock().expect("a task catches its panic");
            // A pending task is not sent again here: its next wake does that.
            let _ = future.poll(&mut Context::from_waker(&waker));
        }
    }
    // ANCHOR_END: run
}

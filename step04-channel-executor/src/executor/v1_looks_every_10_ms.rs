//! Version 1: a waker sets a flag, and the executor checks all flags every 10 ms.
//!
//! A woken task is polled up to 10 ms late, and the executor checks 100 times a second even if no task has been woken.

use std::{
    future::Future,
    mem,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, Sender, TryRecvError},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use crate::task_future::TaskFuture;

const UNPOISONED: &str = "no code panics while it holds this lock";

const INTERVAL: Duration = Duration::from_millis(10);
/// The most tasks that one check receives. Without a limit, threads that never stop spawning could keep the executor
/// busy with receiving, and it would never poll a task.
const MOST_PER_CHECK: usize = 10_000;

/// Runs tasks on the thread that calls [`run`](Executor::run).
#[derive(Debug)]
// ANCHOR: structs
pub struct Executor {
    /// Futures that have been spawned since the last check.
    spawned: Receiver<TaskFuture>,
    tasks: Vec<Task>,
}

#[derive(Debug)]
struct Task {
    future: TaskFuture,
    woken: Arc<Woken>,
}

/// Whether a task has been woken since the executor last checked.
#[derive(Debug)]
struct Woken(Mutex<bool>);
// ANCHOR_END: structs

/// Gives tasks to an [`Executor`], from any thread.
#[derive(Debug, Clone)]
pub struct Spawner {
    sender: Sender<TaskFuture>,
}

// ANCHOR: wake
impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        *self.0.lock().expect(UNPOISONED) = true;
    }
}
// ANCHOR_END: wake

impl Woken {
    /// Clears the flag, and returns whether it was set.
    fn take(&self) -> bool {
        mem::take(&mut *self.0.lock().expect(UNPOISONED))
    }
}

/// Creates an executor and a spawner for it.
pub fn executor() -> (Executor, Spawner) {
    let (sender, spawned) = mpsc::channel();
    let tasks = Vec::new();
    (Executor { spawned, tasks }, Spawner { sender })
}

impl Spawner {
    /// Gives the executor a task. If the executor is gone, the future is dropped without being polled.
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let _ = self.sender.send(TaskFuture::new(future));
    }
}

impl Executor {
    /// Runs until every task is finished and every [`Spawner`] is gone. Returns how often it has checked the flags.
    // ANCHOR: run
    pub fn run(mut self) -> usize {
        let mut checks = 0;
        loop {
            checks += 1;
            let more_may_come = self.receive_spawned();
            // Keeps a task that was not woken, or that is pending again. The flag is cleared
            // before the poll, so that a wake during the poll counts for the next check.
            self.tasks
                .retain_mut(|task| !task.woken.take() || task.poll().is_pending());
            if self.tasks.is_empty() && !more_may_come {
                return checks;
            }
            thread::sleep(INTERVAL);
        }
    }
    // ANCHOR_END: run

    /// Receives what has been spawned since the last check, up to the limit. Returns whether more may come.
    fn receive_spawned(&mut self) -> bool {
        for _ in 0..MOST_PER_CHECK {
            match self.spawned.try_recv() {
                // The flag of a new task is set, because a new task is to be polled.
                Ok(future) => self.tasks.push(Task {
                    future,
                    woken: Arc::new(Woken(Mutex::new(true))),
                }),
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
        true
    }
}

impl Task {
    fn poll(&mut self) -> Poll<()> {
        let waker = Waker::from(Arc::clone(&self.woken));
        self.future.poll(&mut Context::from_waker(&waker))
    }
}

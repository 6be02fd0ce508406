//! Version 1: a waker sets a flag, and the executor looks at all flags every 10 ms.
//!
//! It is up to 10 ms late, and looks 100 times a second when there is nothing to see.

use std::{
    future::Future,
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender, TryRecvError},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use crate::{
    sync::atomic::{AtomicBool, Ordering},
    task_future::TaskFuture,
};

const INTERVAL: Duration = Duration::from_millis(10);
/// How many new tasks one look takes in. Threads that spawn without end could otherwise keep the executor busy with
/// that, and none of the tasks would ever be polled.
const MOST_PER_LOOK: usize = 10_000;

/// Runs tasks on the thread that calls [`run`](Executor::run).
///
/// An executor that is moved into a task of its own cannot run any more, and is leaked with all its tasks.
#[derive(Debug)]
pub struct Executor {
    spawned: Receiver<TaskFuture>,
    tasks: Vec<Task>,
}

/// Gives tasks to an [`Executor`], from any thread.
#[derive(Debug, Clone)]
pub struct Spawner {
    spawned: Sender<TaskFuture>,
}

#[derive(Debug)]
struct Task {
    future: TaskFuture,
    woken: Arc<Woken>,
}

/// Whether a task has been woken since the executor looked at it last.
#[derive(Debug)]
pub struct Woken(AtomicBool);

// ANCHOR: wake
impl Woken {
    /// The flag of a new task, which is to be polled.
    pub fn yes() -> Woken {
        Woken(AtomicBool::new(true))
    }

    /// Clears the flag, and returns whether it was set.
    pub fn take(&self) -> bool {
        self.0.swap(false, Ordering::AcqRel)
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // A swap and not a store: the look that clears the flag then sees what *every*
        // waker did before it woke, and not only the last one.
        self.0.swap(true, Ordering::AcqRel);
    }
}
// ANCHOR_END: wake

/// An executor, and a spawner for it.
pub fn executor() -> (Executor, Spawner) {
    let (sender, receiver) = mpsc::channel();
    let executor = Executor {
        spawned: receiver,
        tasks: Vec::new(),
    };
    (executor, Spawner { spawned: sender })
}

impl Spawner {
    /// Gives the executor a task. If the executor is gone, the future is dropped, and not polled.
    pub fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let _ = self.spawned.send(TaskFuture::new(future));
    }
}

impl Executor {
    /// Runs until every task is done and every [`Spawner`] is gone. Returns how often it looked.
    // ANCHOR: run
    pub fn run(mut self) -> usize {
        let mut looks = 0;
        loop {
            looks += 1;
            let more_may_come = self.take_in();
            // Keeps who was not woken, and who is still pending. The flag is cleared before
            // the poll: a wake during the poll sets it for the next look.
            self.tasks
                .retain_mut(|task| !task.woken.take() || task.poll().is_pending());
            if self.tasks.is_empty() && !more_may_come {
                return looks;
            }
            thread::sleep(INTERVAL);
        }
    }
    // ANCHOR_END: run

    /// Takes in what was spawned since the last look, within the limit. Returns whether more may come.
    fn take_in(&mut self) -> bool {
        for _ in 0..MOST_PER_LOOK {
            match self.spawned.try_recv() {
                Ok(future) => self.tasks.push(Task {
                    future,
                    woken: Arc::new(Woken::yes()),
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

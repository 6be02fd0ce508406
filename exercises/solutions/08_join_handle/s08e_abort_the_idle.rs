//! s08e · repair · 12 minutes · chapter 08, "Join handles and worker threads"
//!
//! A task that waits for a message which never comes holds a file open. So it is aborted. But `abort` only leaves a note in
//! the task's state, and a worker reads the note when it takes the task from the queue. If no code wakes the task any more,
//! that never happens, and the file stays open. In tokio 1.8.1, too, an `abort` could be without effect (its issue 3964).
//!
//! Fix `abort`. The task may be idle, in the queue, finished, or being polled by a worker, which may be the thread that
//! calls `abort`. Unless it is finished, it must not be polled again, and a worker has to drop its future, either at once
//! or after the poll that is running now.
//!
//! Run: `cargo test --bin s08e_abort_the_idle`, or save this file while `rustlings` runs.
//! Red: a test says what the task was doing when it was aborted, and what became of it. Between two steps of `abort`, the tests
//! let other threads act.

#[path = "../../given/s08e_abort_the_idle.rs"]
mod given;

use given::*;
use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{
            AtomicUsize,
            Ordering::{self, SeqCst},
        },
    },
    task::{Context, Wake, Waker},
};

/// To be polled: in the queue, or woken during the poll.
const SCHEDULED: usize = 1;
/// A worker polls it.
const RUNNING: usize = 2;
/// Its future has been dropped.
const FINISHED: usize = 4;
/// It was aborted, so its future is to be dropped rather than polled.
const CANCELLED: usize = 8;

struct Task {
    state: Word,
    /// Locked during the poll.
    future: probe::Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    /// Puts the task into the queue of the workers.
    schedule: fn(Arc<Task>),
}

struct JoinHandle(Arc<Task>);

impl JoinHandle {
    /// Cancels the task. Does not wait for the worker that polls it.
    fn abort(&self) {
        self.0.state.fetch_or(CANCELLED, SeqCst);
        // An idle task needs a worker that drops its future, and a wake sends it to one. For a task in any other state, the
        // wake does not schedule it a second time. The note comes first, because the worker may be quick.
        self.0.wake_by_ref();
    }

    /// Whether the future has been dropped.
    fn is_finished(&self) -> bool {
        self.0.state.load(SeqCst) & FINISHED != 0
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let before = self.state.fetch_or(SCHEDULED, SeqCst);
        if before & (SCHEDULED | RUNNING | FINISHED) == 0 {
            (self.schedule)(Arc::clone(self));
        }
    }
}

impl Task {
    /// Called by the worker that has taken the task from the queue.
    fn run(self: Arc<Self>) {
        // SCHEDULED was set, and RUNNING was not. Changes both.
        let before = self.state.fetch_xor(SCHEDULED | RUNNING, SeqCst);
        if before & CANCELLED != 0 || self.poll() {
            self.finish();
        } else if self.state.fetch_and(!RUNNING, SeqCst) & SCHEDULED != 0 {
            (self.schedule)(self);
        }
    }

    /// Polls the future. Returns whether it is ready.
    fn poll(self: &Arc<Self>) -> bool {
        let waker = Waker::from(Arc::clone(self));
        let mut future = self.future.lock().unwrap();
        let future = future.as_mut().expect("it is not finished");
        future
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
    }

    fn finish(&self) {
        let future = self.future.lock().unwrap().take();
        drop(future);
        self.state.fetch_xor(RUNNING | FINISHED, SeqCst);
    }
}

/// Makes a task, and schedules it for the first time.
fn spawn(schedule: fn(Arc<Task>), future: impl Future<Output = ()> + Send + 'static) -> JoinHandle {
    let task = Arc::new(Task {
        state: Word(AtomicUsize::new(SCHEDULED)),
        future: probe::Mutex::new(Some(Box::pin(future))),
        schedule,
    });
    schedule(Arc::clone(&task));
    JoinHandle(task)
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08e_abort_the_idle.rs"]
mod tests;

//! s04a · complete · 15 minutes · chapter 04, "An executor on a channel"
//!
//! A channel is the queue of tasks to poll. Write the two missing parts, `run` and `wake`.
//!
//! Each task is polled once when it has been spawned, and once more whenever it has been woken, in the order in which that
//! happened. All polls are made by `run`, on its own thread, since a waker may be called on a thread that has other work.
//! `run` sleeps while all tasks wait, and returns when every task is finished. Each task holds a sender, so the channel is
//! open as long as the queue or a waker holds a task.
//!
//! Run: `cargo test --bin s04a_run_what_is_queued`
//! Red: how many tasks are finished when `run` returns, or how many polls they received.

use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

struct Task {
    /// `None`: finished.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    /// As in version 3 of the chapter, a waker that is kept holds the channel open.
    sender: Sender<Arc<Task>>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        // TODO: how does the task get its next poll? If the executor is gone, there is nothing to do.
    }
}

fn run(queue: Receiver<Arc<Task>>) {
    // TODO: which task is polled next, and when is none left?
}

impl Task {
    /// Polls the future, with this task as its waker, and drops it when it is finished.
    fn poll(self: &Arc<Self>) {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        if let Some(future) = &mut *slot {
            if future
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_ready()
            {
                *slot = None;
            }
        }
    }
}

fn spawn(sender: &Sender<Arc<Task>>, future: impl Future<Output = ()> + Send + 'static) {
    let task = Task {
        future: Mutex::new(Some(Box::pin(future))),
        sender: sender.clone(),
    };
    sender.send(Arc::new(task)).unwrap();
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s04a_run_what_is_queued.rs"]
mod tests;

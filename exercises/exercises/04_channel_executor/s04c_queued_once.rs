//! s04c · repair · 12 minutes · chapter 04, "An executor on a channel"
//!
//! In *Inside async*, a million wakes of one task make a million queue entries and as many polls (D22). One entry is
//! enough. Fix `schedule` and `run`. Each task has a `Queued` flag already.
//!
//! `queued.set()` returns whether the caller must send the task. `queued.clear()` notes that it has left the queue. Read
//! `step04-channel-executor/src/queued.rs`.
//!
//! Run: `cargo test --bin s04c_queued_once`
//! Red: how many polls there were, or that a wake was lost.

use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use step04_channel_executor::Queued;

struct Task {
    /// `None`: finished.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queued: Queued,
    /// As in version 3 of the chapter, a waker that is kept holds the channel open.
    sender: Sender<Arc<Task>>,
}

impl Task {
    /// Called when the task is spawned, and when it is woken.
    fn schedule(self: Arc<Self>) {
        // TODO: not if the task is in the queue already.
        let sender = self.sender.clone();
        let _ = sender.send(self);
    }

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

fn run(queue: Receiver<Arc<Task>>) {
    while let Ok(task) = queue.recv() {
        // TODO: the task has left the queue. Note that, at the right moment.
        task.poll();
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.schedule();
    }
}

fn spawn(sender: &Sender<Arc<Task>>, future: impl Future<Output = ()> + Send + 'static) {
    let task = Task {
        future: Mutex::new(Some(Box::pin(future))),
        queued: Queued::no(),
        sender: sender.clone(),
    };
    Arc::new(task).schedule();
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s04c_queued_once.rs"]
mod tests;

//! s04c, solved: the flag is set when the task is sent and cleared when it is received, before the poll.

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
        if self.queued.set() {
            let sender = self.sender.clone();
            let _ = sender.send(self);
        }
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
        // Before the poll. A wake during the poll may be about something that this poll has already checked, so it must
        // send the task again.
        task.queued.clear();
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

//! s04a, solved: spawning sends a task, and waking sends it again.

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
        let sender = self.sender.clone();
        // An error means that the executor is gone. A waker may be called at any time, so this must not panic.
        let _ = sender.send(self);
    }
}

fn run(queue: Receiver<Arc<Task>>) {
    // `recv` rather than `try_recv`, because an empty queue is not the end while a timer may still wake its task.
    while let Ok(task) = queue.recv() {
        task.poll();
        // This drops one `Arc` of the task. If the task is pending, its waker holds another, and will send it again.
    }
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

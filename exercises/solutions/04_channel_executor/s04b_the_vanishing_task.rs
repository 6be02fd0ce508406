//! s04b, solved: a future that is pending goes back into its slot.

use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

struct Task {
    /// `None`: finished.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    sender: Sender<Arc<Task>>,
}

impl Task {
    fn poll(self: &Arc<Self>) {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        if let Some(mut future) = slot.take() {
            if future
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_pending()
            {
                // Only if it is pending, so that a second wake finds `None` rather than a finished future.
                *slot = Some(future);
            }
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let sender = self.sender.clone();
        let _ = sender.send(self);
    }
}

fn run(queue: Receiver<Arc<Task>>) {
    while let Ok(task) = queue.recv() {
        task.poll();
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
#[path = "../../checks/s04b_the_vanishing_task.rs"]
mod tests;

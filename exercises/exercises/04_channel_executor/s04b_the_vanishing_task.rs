//! s04b · repair · 10 minutes · chapter 04, "An executor on a channel"
//!
//! An unfinished executor in *Future and scheduling* takes a future out of its task to poll it, and never puts it back
//! (D03). Nothing fails and nothing hangs, but `done!` is never printed. Fix `poll`.
//!
//! Run: `cargo test --bin s04b_the_vanishing_task`
//! Red: what happened to the future, from its first poll to its drop.

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
            // TODO: what should happen to a future that is pending?
            let _ = future.as_mut().poll(&mut Context::from_waker(&waker));
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

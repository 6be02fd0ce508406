//! s04g, solved: the future is taken out of the map for its poll, and put back if it is pending.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Wake, Waker};

/// No `Send`.
type LocalFuture = Pin<Box<dyn Future<Output = ()>>>;

struct Executor {
    /// The unfinished tasks, by their numbers.
    tasks: RefCell<HashMap<u64, LocalFuture>>,
    next: Cell<u64>,
    /// The numbers of the tasks to poll.
    queue: Receiver<u64>,
    sender: Sender<u64>,
}

/// What a waker points to: the number of a task, and the way into the queue.
struct Address {
    task: u64,
    sender: Sender<u64>,
}

impl Wake for Address {
    fn wake(self: Arc<Self>) {
        // An error means that the executor is gone. A waker may be called at any time, so this must not panic.
        let _ = self.sender.send(self.task);
    }
}

impl Executor {
    fn new() -> Executor {
        let (sender, queue) = channel();
        let (tasks, next) = Default::default();
        Executor {
            tasks,
            next,
            queue,
            sender,
        }
    }

    fn spawn(&self, future: impl Future<Output = ()> + 'static) {
        let task = self.next.replace(self.next.get() + 1);
        self.tasks.borrow_mut().insert(task, Box::pin(future));
        self.sender.send(task).unwrap();
    }

    /// Runs until every task is finished.
    fn run(&self) {
        // The map says when it is over. The channel cannot, because this executor holds a sender itself.
        while !self.tasks.borrow().is_empty() {
            let task = self.queue.recv().unwrap();
            // A statement of its own, so that the map is free during the poll, which may spawn.
            let future = self.tasks.borrow_mut().remove(&task);
            // There is none if the task was woken after it was finished.
            let Some(mut future) = future else { continue };
            let sender = self.sender.clone();
            let waker = Waker::from(Arc::new(Address { task, sender }));
            let mut cx = Context::from_waker(&waker);
            if future.as_mut().poll(&mut cx).is_pending() {
                self.tasks.borrow_mut().insert(task, future);
            }
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s04g_tasks_by_number.rs"]
mod tests;

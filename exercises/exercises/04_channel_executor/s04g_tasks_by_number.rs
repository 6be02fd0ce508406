//! s04g · complete · 20 minutes · chapter 04, "An executor on a channel"
//!
//! A local executor runs futures that are not `Send`. Its wakers may go to any thread, so they hold the number of a task
//! and not the task. Write the two missing parts: `wake` sends the number, and `run` receives numbers and polls the
//! tasks that they belong to, in the order in which the numbers were sent, until no task is left. The flag of the chapter is
//! left out here.
//!
//! Run: `cargo test --bin s04g_tasks_by_number`
//! Red: which tasks are unfinished when `run` returns, or a panic because the map is borrowed already. Or `run` hangs, and
//! the watchdog says that every future is ready. Then ask what `run` still waits for, and whether it can come.

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
        // TODO: send the number to the queue. If the executor is gone, there is nothing to do.
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
        // TODO: receive a number, take its future, and poll it with a waker that points to a new `Address`.
        // What should happen to the future afterwards?
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s04g_tasks_by_number.rs"]
mod tests;

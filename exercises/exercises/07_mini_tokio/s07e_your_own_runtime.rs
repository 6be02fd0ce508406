//! s07e · contract · 30 minutes · chapter 07, "A small tokio"
//!
//! Here is a runtime of fifty lines, an executor on a channel that counts its unfinished tasks. It runs. But does it keep
//! the rules that every runtime has to keep? `lab/contract` has these rules as tests, called clauses, and runs them on any
//! type that implements `contract::Runtime`.
//!
//! Fix the runtime until all the clauses named below are kept, or put a runtime of your own in its place. The report gives
//! the rule of each broken clause and what was seen. Finding the cause is your part.
//!
//! Run: `cargo test --bin s07e_your_own_runtime`, or save this file while `rustlings` runs.
//! Red: the broken clauses, each with its rule, what was seen, and why it matters.
//! Green: read `NOT_SEEN` in its checks. It names a mistake that no clause can see.

use contract::{Answer, Runtime};
use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, Sender},
    },
    task::{Context, Poll, Wake, Waker},
};

/// The runtime that the clauses are run on.
struct Mine;

impl Runtime for Mine {
    fn run(&self, tasks: Vec<contract::BoxFuture>) -> Answer {
        let mut mini_tokio = MiniTokio::new();
        tasks.into_iter().for_each(|task| mini_tokio.spawn(task));
        mini_tokio.run();
        Ok(())
    }
}

struct MiniTokio {
    queue: Receiver<Arc<Task>>,
    sender: Sender<Arc<Task>>,
    /// How many tasks have been spawned and have not finished.
    unfinished: usize,
}

impl MiniTokio {
    fn new() -> MiniTokio {
        let (sender, queue) = mpsc::channel();
        MiniTokio {
            queue,
            sender,
            unfinished: 0,
        }
    }

    fn spawn(&mut self, future: impl Future<Output = ()> + Send + 'static) {
        self.unfinished += 1;
        Arc::new(Task::new(Box::pin(future), self.sender.clone())).wake();
    }

    /// Runs until every task has finished.
    fn run(&mut self) {
        while self.unfinished > 0 {
            let task = self.queue.recv().expect("this struct holds a sender");
            if task.poll().is_ready() {
                self.unfinished -= 1;
            }
        }
    }
}

type BoxedFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

struct Task {
    future: Mutex<Option<BoxedFuture>>,
    queue: Sender<Arc<Task>>,
}

impl Task {
    fn new(future: BoxedFuture, queue: Sender<Arc<Task>>) -> Task {
        Task {
            future: Mutex::new(Some(future)),
            queue,
        }
    }

    /// Polls the future. Returns `Ready` once, at the poll that finishes it.
    fn poll(self: &Arc<Self>) -> Poll<()> {
        // TODO: which rules does this runtime break, and where?
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        let Some(future) = slot.as_mut() else {
            return Poll::Pending;
        };
        future.as_mut().poll(&mut Context::from_waker(&waker))
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let _ = self.queue.send(Arc::clone(&self));
    }
}

fn main() {
    println!("Once the test is green, read `NOT_SEEN` in its checks: what no clause can see.");
}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s07e_your_own_runtime.rs"]
mod tests;

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

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, Ordering::SeqCst},
};

struct Task {
    /// `None` once it is finished.
    future: Mutex<Option<BoxedFuture>>,
    /// Whether the task is in the queue. However often it is woken, it is there once.
    queued: AtomicBool,
    queue: Sender<Arc<Task>>,
}

impl Task {
    fn new(future: BoxedFuture, queue: Sender<Arc<Task>>) -> Task {
        Task {
            future: Mutex::new(Some(future)),
            queued: AtomicBool::new(false),
            queue,
        }
    }

    /// Polls the future. Returns `Ready` once, at the poll that finishes it.
    fn poll(self: &Arc<Self>) -> Poll<()> {
        // Before the poll, so that a wake during the poll sends the task again. By a swap and not by a store, so that
        // this poll sees what was done before a wake that found the flag set.
        self.queued.swap(false, SeqCst);
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        let Some(future) = slot.as_mut() else {
            return Poll::Pending;
        };
        let mut cx = Context::from_waker(&waker);
        // A panic ends this task and no other. Its message has been printed.
        let answer = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut cx)))
            .unwrap_or(Poll::Ready(()));
        if answer.is_ready() {
            // Dropped now and not together with the last waker, because a future may hold a waker of its own task. The
            // destructor may panic too.
            let finished = slot.take();
            let _ = catch_unwind(AssertUnwindSafe(|| drop(finished)));
        }
        answer
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if !self.queued.swap(true, SeqCst) {
            // This fails if the runtime has been dropped, and then there is nothing to poll.
            let _ = self.queue.send(Arc::clone(&self));
        }
    }
}

fn main() {
    println!("Once the test is green, read `NOT_SEEN` in its checks: what no clause can see.");
}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s07e_your_own_runtime.rs"]
mod tests;

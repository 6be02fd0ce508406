//! s07b · complete · 15 minutes · chapter 07, "A small tokio"
//!
//! Here is a small mini-tokio. Waking a task sends it into a channel, and `run` polls the tasks that it receives. In *Async
//! in depth* (004), `run` never returns, because it receives from a channel to which it holds a sender itself (D44).
//!
//! Write `run` so that it polls tasks in the order in which they were woken, and returns when every task has finished,
//! not earlier. While the tasks wait, for example for a timer, `run` must wait too. A waker may be kept and called
//! after its task has finished. You may add a field and change `spawn`.
//!
//! Run: `cargo test --bin s07b_run_comes_back`, or save this file while `rustlings` runs.
//! Red: the watchdog says that every future is ready, and the run does not end. It names two ways in which a run loop can
//! learn that. Which of them still works while a waker is kept?

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, Sender},
    },
    task::{Context, Poll, Wake, Waker},
};

struct MiniTokio {
    queue: Receiver<Arc<Task>>,
    sender: Option<Sender<Arc<Task>>>,
}

impl MiniTokio {
    fn new() -> MiniTokio {
        let (sender, queue) = mpsc::channel();
        MiniTokio {
            queue,
            sender: Some(sender),
        }
    }

    /// Adds a task. It is polled in `run`.
    fn spawn(&mut self, future: impl Future<Output = ()> + Send + 'static) {
        let sender = self.sender.clone().expect("the runtime's own sender");
        let task = Arc::new(Task {
            future: Mutex::new(Some(Box::pin(future))),
            queue: sender,
        });
        task.wake();
    }

    /// Runs until every task has finished. Sleeps while the queue is empty.
    fn run(&mut self) {
        // TODO: when is there nothing left to wait for?
        while let Ok(task) = self.queue.recv() {
            let _ = task.poll();
        }
    }
}

/// A task, which may be in the queue.
struct Task {
    /// `None` once it has finished.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queue: Sender<Arc<Task>>,
}

impl Task {
    /// Polls the future. Returns `Ready` once, at the poll that finishes it. After that there is nothing left to poll, and
    /// it returns `Pending`.
    fn poll(self: &Arc<Self>) -> Poll<()> {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock().unwrap();
        let Some(future) = slot.as_mut() else {
            return Poll::Pending;
        };
        let answer = future.as_mut().poll(&mut Context::from_waker(&waker));
        if answer.is_ready() {
            *slot = None;
        }
        answer
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        // This fails if the runtime has been dropped, and then there is nothing to poll.
        let _ = self.queue.send(Arc::clone(&self));
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s07b_run_comes_back.rs"]
mod tests;

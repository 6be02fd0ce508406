//! s07b · complete · 15 minutes · chapter 07, "A small tokio"
//!
//! A mini-tokio: a task that is woken sends itself down a channel, and `run` polls what it receives. In *Async in
//! depth* (004) `run` never returns: it waits on a channel of which it holds a sender itself (D44).
//!
//! Write `run` so that it returns when every task is done, and not before. A task may wait for something; a waker may
//! be kept by somebody after its task is done. You may add a field, and change `spawn`.
//!
//! Run: `cargo test --bin s07b_run_comes_back`, or save this file while `rustlings` runs.
//! Red: the watchdog says that all is done, and the run does not end.

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

    fn spawn(&mut self, future: impl Future<Output = ()> + Send + 'static) {
        let sender = self.sender.clone().expect("the runtime's own sender");
        let task = Arc::new(Task {
            future: Mutex::new(Some(Box::pin(future))),
            queue: sender,
        });
        task.wake();
    }

    fn run(&mut self) {
        // ANCHOR: slip
        drop(self.sender.take());
        while let Ok(task) = self.queue.recv() {
            let _ = task.poll();
        }
        // ANCHOR_END: slip
    }
}

/// A task, which may stand in the queue.
struct Task {
    /// `None` when it is done.
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queue: Sender<Arc<Task>>,
}

impl Task {
    /// Polls the future. `Ready` once: at the poll that finished it. After that there is nothing to poll, and it is
    /// `Pending`.
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
        // Nobody receives once the runtime is gone.
        let _ = self.queue.send(Arc::clone(&self));
    }
}

fn main() {}

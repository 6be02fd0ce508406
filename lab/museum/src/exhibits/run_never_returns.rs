//! An executor that owns a sender of its own channel, and runs until there is no sender.
//!
//! The sender is there for `spawn`. It is not dropped as long as `run` borrows the executor.

use std::sync::{
    Arc,
    mpsc::{self, Receiver, Sender},
};

use crate::{
    Breaks, Exhibit, Fails,
    props::{Task, yields},
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "run-never-returns",
    title: "run waits for a sender that the executor holds itself",
    was_in: "document 004, the second mini-tokio (D44); tokio's website, tutorial-code/mini-tokio",
    breaks: Breaks::Clause("finishes"),
    chapter: 7,
    fails: Fails::Hangs("every watched future is ready or dropped, but the run does not end"),
    why: "the queue is empty and the channel is open, so `recv` waits for a message that only this thread \
          could send. The twin drops its sender before it runs.",
    passes: "run has returned",
    broken: || show(|executor| executor.run_broken()),
    repaired: || show(MiniTokio::run_repaired),
};

struct MiniTokio {
    scheduled: Receiver<Arc<Task>>,
    sender: Sender<Arc<Task>>,
}

impl MiniTokio {
    fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let wakes = self.sender.clone();
        let task = Task::new(future, move |task| wakes.send(task).unwrap());
        self.sender.send(task).unwrap();
    }

    // ANCHOR: broken
    fn run_broken(&self) {
        while let Ok(task) = self.scheduled.recv() {
            task.poll();
        }
    }
    // ANCHOR_END: broken

    // ANCHOR: repaired
    fn run_repaired(self) {
        // What is left now are the senders of unfinished tasks.
        drop(self.sender);
        while let Ok(task) = self.scheduled.recv() {
            task.poll();
        }
    }
    // ANCHOR_END: repaired
}

fn show(run: fn(MiniTokio)) {
    let (sender, scheduled) = mpsc::channel();
    let executor = MiniTokio { scheduled, sender };
    executor.spawn(probe::watch("only task", yields(1)));
    run(executor);
    println!("run has returned");
}

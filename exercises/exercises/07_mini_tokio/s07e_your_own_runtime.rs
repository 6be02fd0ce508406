//! s07e · contract · 30 minutes · chapter 07, "A small tokio"
//!
//! The last one. Below stands a runtime of fifty lines: an executor on a channel, with a count, as you have built it.
//! It runs. Does it keep what every runtime has to keep? `lab/contract` has the rules as tests, and runs them on
//! anything that implements `contract::Runtime`. It says which clauses are not kept, by their rules.
//!
//! Mend `Task`, or put a runtime of your own in its place. Three things are wrong here: one of them is D45 of *Async
//! in depth* (004), one D46, one D47.
//!
//! Run: `cargo test --bin s07e_your_own_runtime`, or save this file while `rustlings` runs.
//! Red: a list of the clauses that are not kept, each with its rule and what was seen.

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

/// This is what is put under the contract.
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
    /// Spawned, and not done yet.
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

    /// Runs until every task is done.
    fn run(&mut self) {
        while self.unfinished > 0 {
            let task = self.queue.recv().expect("we hold a sender");
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

    /// Polls the future. Ready once: at the poll that finished it.
    fn poll(self: &Arc<Self>) -> Poll<()> {
        // TODO: four clauses fail, for three causes, here and in `wake`.
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

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::{Subject, suite};

    // Some clauses ask how many allocations are left.
    contract::count_allocations!();

    /// Each is a process of its own, so one that hangs harms no other.
    #[test]
    fn it_keeps_the_contract() {
        let mine = Subject::runtime("mine", &Mine);
        let clauses = [
            "finishes",
            "nothing_to_do",
            "woken_in_poll",
            "woken_asleep",
            "woken_twice",
            "an_earlier_waker",
            "a_million_wakes",
            "only_when_woken",
            "takes_turns",
            "dropped_when_ready",
            "wake_after_ready",
            "wakers_balance",
            "a_panic_is_contained",
            "dropped_when_panicked",
        ];
        let kept = suite::check("tests::it_keeps_the_contract", mine, &clauses);
        kept.unwrap_or_else(|broken| {
            panic!("{broken}\nStart with the first. Several may have one cause: mend it, and run again.")
        });
    }
}

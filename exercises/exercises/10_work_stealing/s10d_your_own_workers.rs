//! s10d · contract · 30 minutes · chapter 10, "Work stealing"
//!
//! Here is a runtime with two workers and a queue for each. It uses nothing that you have not seen in stage 08, and it runs.
//! But some clauses of `lab/contract` are not kept, because a worker does not care for what is in the queues of others.
//!
//! Change it until the clauses that its checks name are kept, or put a runtime of your own in its place: the tests know only
//! `Runtime::new`, its `handle` and its drop. The tasks and the threads are in `given/s10d_your_own_workers.rs`, which calls
//! `push` and `work`. First win `spawned_and_waited_for`, and then `takes_turns` and `woken_under_load`, which have one cause.
//!
//! Run: `cargo test --bin s10d_your_own_workers`, or save this file while `rustlings` runs.
//! Red: the broken clauses, each with its rule, what was seen, and why it matters.
//! Green: `cargo figures`, in this folder, says how fast your runtime is beside tokio. The first time it compiles the stages
//! with optimizations. The aim: a task that is spawned and awaited before the next one takes at most 600 ns. A push that
//! wakes no worker while another one searches gets you there, as in s10c. Keep the clauses. `dropped_at_shutdown` is not
//! among them: add its name to the checks to see whether yours keeps it. One queue for all would keep them, too, and the
//! figures say what it costs. No check can step in between two of your atomics: run the figures a few times.

#[path = "../../given/s10d_your_own_workers.rs"]
pub(crate) mod given;

use given::{Condvar, Handle, Mutex, Task};
use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
};

const WORKERS: usize = 2;

struct Runtime {
    handle: Handle,
    workers: Vec<thread::JoinHandle<()>>,
}

type Queue = Mutex<VecDeque<Arc<Task>>>;

struct Shared {
    /// What does not come from a worker.
    injector: Queue,
    /// What comes from a worker.
    queues: [Queue; WORKERS],
    closed: AtomicBool,
    /// A worker holds this lock while it decides whether it sleeps.
    bell: Mutex<()>,
    rung: Condvar,
}

impl Runtime {
    fn new() -> Runtime {
        let shared = Arc::new(Shared {
            injector: Queue::default(),
            queues: Default::default(),
            closed: AtomicBool::new(false),
            bell: Mutex::new(()),
            rung: Condvar::new(),
        });
        Runtime {
            workers: given::start(&shared),
            handle: Handle(shared),
        }
    }
}

impl Drop for Runtime {
    /// Ends the workers after their current polls. A task that still sleeps is dropped with its last waker.
    fn drop(&mut self) {
        let shared = &self.handle.0;
        shared.closed.store(true, SeqCst);
        drop(shared.bell.lock());
        shared.rung.notify_all();
        for worker in self.workers.drain(..) {
            worker.join().expect("a worker does not panic");
        }
        while let Some(task) = shared.all_queues().find_map(pop) {
            drop(task);
        }
    }
}

impl Shared {
    fn all_queues(&self) -> impl Iterator<Item = &Queue> {
        self.queues.iter().chain([&self.injector])
    }

    fn push(&self, task: Arc<Task>) {
        if self.closed.load(SeqCst) {
            return;
        }
        match given::worker(self) {
            Some(worker) => {
                // TODO: who else could run this task?
                self.queues[worker].lock().unwrap().push_back(task);
            }
            None => {
                self.injector.lock().unwrap().push_back(task);
                self.ring();
            }
        }
    }

    /// Wakes a worker, if any sleeps.
    fn ring(&self) {
        // Under this lock, a worker looks and then sleeps. Now it either has not looked yet, or it sleeps already.
        drop(self.bell.lock());
        self.rung.notify_one();
    }

    fn work(&self, me: usize) {
        let mut polls = 0;
        while !self.closed.load(SeqCst) {
            match self.next(me, polls) {
                Some(task) => {
                    polls += 1;
                    task.run();
                }
                None => self.sleep(me),
            }
        }
    }

    /// The task that this worker polls next, after so many polls.
    fn next(&self, me: usize, polls: usize) -> Option<Arc<Task>> {
        // TODO: what about the queues of others? And when is it the injector's turn, if tasks here yield forever?
        pop(&self.queues[me]).or_else(|| pop(&self.injector))
    }

    fn sleep(&self, me: usize) {
        let mut bell = self.bell.lock().unwrap();
        while !self.closed.load(SeqCst) && !self.is_anything_queued(me) {
            bell = self.rung.wait(bell).unwrap();
        }
    }

    /// Whether there is something that `next` would return.
    fn is_anything_queued(&self, me: usize) -> bool {
        let mut mine = [&self.queues[me], &self.injector].into_iter();
        mine.any(|queue| !queue.lock().unwrap().is_empty())
    }
}

fn pop(queue: &Queue) -> Option<Arc<Task>> {
    queue.lock().unwrap().pop_front()
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s10d_your_own_workers.rs"]
mod tests;

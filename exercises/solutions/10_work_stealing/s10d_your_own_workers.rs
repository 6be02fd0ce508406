//! s10d, solved: a worker steals, looks at the injector now and then, and is woken by the protocol of s10c.

#[path = "../../given/s10d_your_own_workers.rs"]
pub(crate) mod given;

use given::{Condvar, Handle, Mutex, Task};
use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    thread,
};

const WORKERS: usize = 2;
/// After so many polls, a worker looks into the injector first. tokio has the same number.
const POLLS_BETWEEN_LOOKS: usize = 61;

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
    /// How many workers search the queues. One that is woken searches from then on.
    searching: AtomicUsize,
    /// How many workers sleep, or have announced that they will.
    sleeping: AtomicUsize,
    /// How many of those that sleep have been woken and have not got up.
    bell: Mutex<usize>,
    rung: Condvar,
}

impl Runtime {
    fn new() -> Runtime {
        let shared = Arc::new(Shared {
            injector: Queue::default(),
            queues: Default::default(),
            closed: AtomicBool::new(false),
            searching: AtomicUsize::new(WORKERS),
            sleeping: AtomicUsize::new(0),
            bell: Mutex::new(0),
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
                self.queues[worker].lock().unwrap().push_back(task);
            }
            None => self.injector.lock().unwrap().push_back(task),
        }
        // This worker may block its thread.
        self.ring();
    }

    /// Wakes a worker, if one sleeps and none searches. One that searches finds the task that was just pushed.
    fn ring(&self) {
        if self.searching.load(SeqCst) > 0 || self.sleeping.load(SeqCst) == 0 {
            return;
        }
        let mut woken = self.bell.lock().unwrap();
        // All that sleep may have been woken meanwhile.
        if self.sleeping.load(SeqCst) > 0 {
            self.sleeping.fetch_sub(1, SeqCst);
            self.searching.fetch_add(1, SeqCst);
            *woken += 1;
            drop(woken);
            self.rung.notify_one();
        }
    }

    /// A worker counts as searching whenever it neither polls nor sleeps.
    fn work(&self, me: usize) {
        let mut polls = 0;
        while !self.closed.load(SeqCst) {
            match self.next(me, polls) {
                Some(task) => {
                    self.found();
                    polls += 1;
                    task.run();
                    self.searching.fetch_add(1, SeqCst);
                }
                None => self.sleep(),
            }
        }
    }

    /// A worker that searches has found a task, and stops searching. Pushes have relied on it, and there may be more.
    fn found(&self) {
        let is_last = self.searching.fetch_sub(1, SeqCst) == 1;
        if is_last && self.is_anything_queued() {
            self.ring();
        }
    }

    /// The task that this worker polls next, after so many polls.
    fn next(&self, me: usize, polls: usize) -> Option<Arc<Task>> {
        // A task that yields forever must not keep the worker from what comes from outside.
        if polls % POLLS_BETWEEN_LOOKS == 0 {
            let from_outside = pop(&self.injector);
            if from_outside.is_some() {
                return from_outside;
            }
        }
        pop(&self.queues[me])
            .or_else(|| pop(&self.injector))
            .or_else(|| self.steal(me))
    }

    /// Takes half of what another worker has in its queue. For what it does not return, `found` wakes another one.
    fn steal(&self, me: usize) -> Option<Arc<Task>> {
        let others = (1..WORKERS).map(|next| &self.queues[(me + next) % WORKERS]);
        for other in others {
            let mut stolen = take_half(other);
            if let Some(first) = stolen.pop_front() {
                self.queues[me].lock().unwrap().extend(stolen);
                return Some(first);
            }
        }
        None
    }

    /// Called by a worker that searches and has found nothing. It searches again when this returns.
    fn sleep(&self) {
        // Announced before the last look. A push takes the same locks as the look: either it is seen, or it sees a sleeper.
        self.sleeping.fetch_add(1, SeqCst);
        self.searching.fetch_sub(1, SeqCst);
        if self.is_anything_queued() {
            self.ring(); // it may wake this worker
        }
        let mut woken = self.bell.lock().unwrap();
        while *woken == 0 && !self.closed.load(SeqCst) {
            woken = self.rung.wait(woken).unwrap();
        }
        *woken = woken.saturating_sub(1);
    }

    fn is_anything_queued(&self) -> bool {
        let mut all = self.all_queues();
        all.any(|queue| !queue.lock().unwrap().is_empty())
    }
}

fn pop(queue: &Queue) -> Option<Arc<Task>> {
    queue.lock().unwrap().pop_front()
}

/// The oldest tasks, half of them, rounded up.
fn take_half(queue: &Queue) -> VecDeque<Arc<Task>> {
    let mut queue = queue.lock().unwrap();
    let half = queue.len().div_ceil(2);
    queue.drain(..half).collect()
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s10d_your_own_workers.rs"]
mod tests;

//! A worker: what it has for itself, where it puts a task, and where it finds the next one.

mod sleep;
mod steal;

use std::{cell::Cell, sync::Arc};

use crossbeam_deque::Worker;

use crate::{
    budget,
    shared::{Remote, Shared},
    task::{Task, Why},
};

use sleep::Sleeper;

/// At every 61st search for a task, a worker checks the kernel and the injector first. tokio has the same number.
const SEARCHES_BETWEEN_LOOKS: u32 = 61;

/// How many polls in a row may be from the slot while tasks wait in the queue. tokio has the same number.
const SLOT_POLLS_IN_A_ROW: u32 = 3;

/// What a worker has for itself. No other thread touches it, and of the queue only the stealer's end.
pub(crate) struct Local {
    pub(crate) shared: Arc<Shared>,
    number: usize,
    queue: Worker<Task>,
    /// How many searches for a task are left until the next look outside.
    until_look: Cell<u32>,
    slot_polls_in_a_row: Cell<u32>,
    /// For a batch of tasks from the injector. Empty, but with room.
    share: Cell<Vec<Task>>,
    sleeper: Sleeper,
}

impl Local {
    pub(crate) fn new(shared: Arc<Shared>, number: usize, queue: Worker<Task>) -> Local {
        Local {
            number,
            queue,
            until_look: Cell::new(SEARCHES_BETWEEN_LOOKS),
            slot_polls_in_a_row: Cell::new(0),
            share: Cell::default(),
            sleeper: Sleeper::new(shared.workers.len()),
            shared,
        }
    }

    /// Polls tasks until the runtime is shut down.
    // ANCHOR: work
    pub(crate) fn work(&self) {
        loop {
            let next = self.next();
            // A task that finished may have spawned this one during the shutdown. It must not be polled.
            if self.shared.is_closed() {
                next.inspect(Task::shut_down);
                break;
            }
            match next {
                Some(task) => self.run(task),
                None => self.sleep(),
            }
        }
        // Tasks that arrived after the shutdown checked this worker.
        while let Some(task) = self.remote().slot.take().or_else(|| self.queue.pop()) {
            task.shut_down();
        }
    }

    fn run(&self, task: Task) {
        self.begin();
        self.remote().counts.polls.add(1);
        budget::refill(self.shared.has_budget);
        task.run();
    }
    // ANCHOR_END: work

    /// Takes a task that this thread has spawned or woken.
    // ANCHOR: push
    pub(crate) fn push(&self, task: Task, why: Why) {
        let version = self.shared.version;
        if self.is_driving() {
            // Tasks woken by the driver wait for their turn. At most one thief is woken for them.
            return version.put(self, task, Why::Yielded);
        }
        version.put(self, task, why);
        self.wake_a_thief();
    }
    // ANCHOR_END: push

    /// Finds a task to poll.
    // ANCHOR: next
    fn next(&self) -> Option<Task> {
        self.until_look.set(self.until_look.get() - 1);
        if self.until_look.get() == 0 {
            self.until_look.set(SEARCHES_BETWEEN_LOOKS);
            self.look_up();
            if let Some(task) = self.shared.injector.pop() {
                return Some(task);
            }
        }
        self.shared.version.next(self)
    }
    // ANCHOR_END: next

    // ANCHOR: queue
    pub(crate) fn put_in_queue(&self, task: Task) {
        self.queue.push(task);
    }

    pub(crate) fn pop_queue(&self) -> Option<Task> {
        self.queue.pop()
    }
    // ANCHOR_END: queue

    // ANCHOR: slot
    pub(crate) fn put_in_slot(&self, task: Task) {
        // No other worker is woken for it, because it runs here, and next.
        if let Some(earlier) = self.remote().slot.put(task) {
            self.queue.push(earlier);
        }
    }

    pub(crate) fn pop_slot(&self) -> Option<Task> {
        let in_a_row = self.slot_polls_in_a_row.replace(0);
        let task = self.remote().slot.take()?;
        if in_a_row >= SLOT_POLLS_IN_A_ROW && !self.queue.is_empty() {
            self.queue.push(task);
            return None;
        }
        self.slot_polls_in_a_row.set(in_a_row + 1);
        self.remote().counts.slot_polls.add(1);
        Some(task)
    }
    // ANCHOR_END: slot

    fn remote(&self) -> &Remote {
        &self.shared.workers[self.number]
    }
}

//! A worker from its start to its end: it finds a task and polls it, again and again, or else it sleeps.

use std::{cell::Cell, sync::Arc};

use crossbeam_deque::Worker;

use crate::{
    budget,
    shared::{Remote, Shared},
    task::Task,
};

use super::{Local, check::SEARCHES_BETWEEN_CHECKS, sleep::Sleeper};

impl Local {
    pub(crate) fn new(shared: Arc<Shared>, number: usize, queue: Worker<Task>) -> Local {
        Local {
            number,
            queue,
            slot_polls_in_a_row: Cell::new(0),
            batch: Cell::default(),
            until_check: Cell::new(SEARCHES_BETWEEN_CHECKS),
            sleeper: Sleeper::new(shared.workers.len()),
            shared,
        }
    }

    /// Polls tasks until the runtime is shut down.
    // ANCHOR: work
    pub(crate) fn work(&self) {
        loop {
            let next = self.next();
            // The shutdown may have begun meanwhile. Perhaps a destructor that it ran has spawned this task, so it must not run.
            if self.shared.is_closed() {
                next.inspect(Task::shut_down);
                break;
            }
            match next {
                Some(task) => self.run(task),
                None => self.sleep(),
            }
        }
        // The shutdown has emptied these too, but the last poll here may have put a task there since.
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

    /// What other threads reach of this worker.
    pub(super) fn remote(&self) -> &Remote {
        &self.shared.workers[self.number]
    }
}

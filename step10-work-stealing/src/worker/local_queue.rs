//! The local queue of a worker, from which other workers steal, and beside it the slot, whose task is polled first. And how the worker
//! gets at tasks that are elsewhere: its share of the injector, and half of another worker's local queue.

use std::{cell::Cell, sync::Arc};

use crossbeam_deque::{Steal, Worker as Deque};

use crate::{injector::Injector, shared::Remote, task::Task};

/// How many polls in a row may be from the slot while tasks wait in the local queue. tokio has the same number.
const SLOT_POLLS_IN_A_ROW: u32 = 3;

/// The tasks of one worker.
pub(super) struct LocalQueue {
    /// crossbeam's: a queue whose owner pushes and pops, and from which thieves steal.
    deque: Deque<Task>,
    /// What other threads reach. The slot is there, because the task in it can be taken from a worker that is stuck.
    remote: Arc<Remote>,
    slot_polls_in_a_row: Cell<u32>,
    /// Tasks on their way from the injector into the deque. Otherwise empty, but with room.
    batch: Cell<Vec<Task>>,
}

impl LocalQueue {
    pub(super) fn new(remote: Arc<Remote>, deque: Deque<Task>) -> LocalQueue {
        LocalQueue {
            deque,
            remote,
            slot_polls_in_a_row: Cell::new(0),
            batch: Cell::default(),
        }
    }

    /// Puts a task at the back of the queue.
    pub(super) fn push(&self, task: Task) {
        self.deque.push(task);
    }

    /// Takes the task at the front of the queue.
    pub(super) fn pop(&self) -> Option<Task> {
        self.deque.pop()
    }

    /// The number of tasks in it, without the one in the slot.
    pub(super) fn len(&self) -> usize {
        self.deque.len()
    }

    /// Puts a task into the slot, so that it is polled next, while its data is in the cache of this core.
    // ANCHOR: slot
    pub(super) fn put_in_slot(&self, task: Task) {
        // No other worker is woken for it, because it runs here, and next.
        if let Some(earlier) = self.remote.slot.put(task) {
            self.deque.push(earlier);
        }
    }

    pub(super) fn pop_slot(&self) -> Option<Task> {
        let in_a_row = self.slot_polls_in_a_row.replace(0);
        let task = self.remote.slot.take()?;
        if in_a_row >= SLOT_POLLS_IN_A_ROW && !self.deque.is_empty() {
            self.deque.push(task);
            return None;
        }
        self.slot_polls_in_a_row.set(in_a_row + 1);
        self.remote.counts.slot_polls.add(1);
        Some(task)
    }
    // ANCHOR_END: slot

    /// Takes any of the tasks, because none of them will be polled.
    pub(super) fn pop_at_the_end(&self) -> Option<Task> {
        self.remote.slot.take().or_else(|| self.deque.pop())
    }

    /// Takes this worker's share of what is in the injector. All but the first go into the
    /// local queue, where others may steal them.
    pub(super) fn take_share(&self, injector: &Injector, workers: usize) -> Option<Task> {
        let mut batch = self.batch.take();
        let first = injector.pop_share(workers, &mut batch);
        // Only now is the injector's lock free, and the deque may have to allocate.
        for task in batch.drain(..) {
            self.deque.push(task);
        }
        self.batch.set(batch);
        first
    }

    /// Takes half of what another worker has in its local queue, 32 tasks at most.
    // ANCHOR: steal
    pub(super) fn steal(&self, workers: &[Arc<Remote>]) -> Option<Task> {
        // The search begins anywhere, so that thieves do not follow each other from victim to victim.
        let (last, first) = workers.split_at(fastrand::usize(..workers.len()));
        let steal = |victim: &Arc<Remote>| victim.stealer.steal_batch_and_pop(&self.deque);
        loop {
            // From itself, whose deque is empty, the thief gets nothing.
            match first.iter().chain(last).map(steal).collect() {
                Steal::Success(task) => {
                    self.count_steal();
                    return Some(task);
                }
                Steal::Empty => return None,
                Steal::Retry => {}
            }
        }
    }
    // ANCHOR_END: steal

    // ANCHOR: count_steal
    fn count_steal(&self) {
        let counts = &self.remote.counts;
        counts.steals.add(1);
        // The task that is polled next, and those in the deque, which was empty.
        counts.stolen.add(1 + self.deque.len() as u64);
    }
    // ANCHOR_END: count_steal
}

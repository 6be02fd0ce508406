//! The tasks that wait, so that the end of the runtime finds them.
//!
//! A task that is in a queue, or that a worker polls, is found there. So a task whose first poll is ready is never in this
//! list.

use std::cell::Cell;

use slab::Slab;

use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::sync::{Mutex, MutexGuard, lock};
use crate::task::Task;

/// The number of lists, each with a lock. A waiting task needs its lock twice.
#[cfg(not(loom))]
const SHARDS: usize = 16;

/// In a model, the count of the thread would continue from one run of the model to the next.
#[cfg(loom)]
const SHARDS: usize = 1;

thread_local! {
    /// The shard for the next task that this thread adds.
    static NEXT: Cell<usize> = const { Cell::new(0) };
}

/// A reference to each unfinished task that has ever been pending.
pub(crate) struct List(Box<[Mutex<Slab<Task>>]>);

/// The place of a task in the list.
pub(crate) struct Entry {
    shard: u32,
    place: u32,
}

impl List {
    pub(crate) fn new() -> List {
        List((0..SHARDS).map(|_| Mutex::default()).collect())
    }

    /// Adds a reference to the task, unless the runtime is closed.
    pub(crate) fn insert(&self, task: &Task, closed: &AtomicBool) -> Option<Entry> {
        let shard = NEXT.replace((NEXT.get() + 1) % SHARDS);
        let mut tasks = self.shard(shard);
        // The end sets the flag before it takes this lock. So either the flag is set here, or the end finds the task.
        let open = !closed.load(Relaxed);
        open.then(|| Entry {
            shard: shard as u32,
            place: tasks.insert(task.clone()) as u32,
        })
    }

    /// Drops the reference.
    pub(crate) fn remove(&self, entry: Entry) {
        let task = self
            .shard(entry.shard as usize)
            .remove(entry.place as usize);
        drop(task);
    }

    /// All tasks that are there.
    pub(crate) fn tasks(&self) -> Vec<Task> {
        let mut all = Vec::new();
        for shard in 0..SHARDS {
            all.extend(self.shard(shard).iter().map(|(_, task)| task.clone()));
        }
        all
    }

    /// The number of tasks.
    pub(crate) fn len(&self) -> usize {
        (0..SHARDS).map(|shard| self.shard(shard).len()).sum()
    }

    fn shard(&self, shard: usize) -> MutexGuard<'_, Slab<Task>> {
        lock(&self.0[shard])
    }
}

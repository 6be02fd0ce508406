//! The tasks that are not finished, so that the end of the runtime finds them.

use slab::Slab;

use crate::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
    task::Task,
};

/// So many locks share the tasks among them, because each spawn and each end of a task needs one.
const SHARDS: usize = 16;

/// A reference to each unfinished task.
// ANCHOR: struct
pub(crate) struct List {
    shards: Box<[Mutex<Shard>]>,
    next: AtomicUsize,
}

#[derive(Default)]
struct Shard {
    unfinished: Slab<Task>,
    /// The runtime ends, so no task is accepted any more.
    closed: bool,
}

/// Where a task stands in the list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    shard: usize,
    place: usize,
}
// ANCHOR_END: struct

impl List {
    pub(crate) fn new() -> List {
        List {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// Adds the task that `make` makes for its entry. `make` also returns what the caller wants of it. `false`: the list
    /// is closed, and the task was not added.
    pub(crate) fn insert<R>(&self, make: impl FnOnce(Entry) -> (R, Task)) -> (R, Result<(), Task>) {
        let shard = self.next.fetch_add(1, Ordering::Relaxed) % SHARDS;
        let mut tasks = self.shard(shard);
        let place = tasks.unfinished.vacant_key();
        let (made, task) = make(Entry { shard, place });
        if tasks.closed {
            return (made, Err(task));
        }
        tasks.unfinished.insert(task);
        (made, Ok(()))
    }

    /// Takes a task out.
    pub(crate) fn remove(&self, entry: Entry) -> Option<Task> {
        self.shard(entry.shard).unfinished.try_remove(entry.place)
    }

    /// The task that has this address, if it is unfinished.
    pub(crate) fn find(&self, address: usize) -> Option<Task> {
        (0..SHARDS).find_map(|shard| {
            let tasks = self.shard(shard);
            let mut tasks = tasks.unfinished.iter().map(|(_, task)| task);
            tasks.find(|task| task.address() == address).cloned()
        })
    }

    /// Accepts no more tasks, and returns those that are unfinished.
    pub(crate) fn close(&self) -> Vec<Task> {
        let mut all = Vec::new();
        for shard in 0..SHARDS {
            let mut tasks = self.shard(shard);
            tasks.closed = true;
            all.extend(tasks.unfinished.iter().map(|(_, task)| task.clone()));
        }
        all
    }

    /// The number of unfinished tasks.
    pub(crate) fn len(&self) -> usize {
        (0..SHARDS)
            .map(|shard| self.shard(shard).unfinished.len())
            .sum()
    }

    fn shard(&self, shard: usize) -> MutexGuard<'_, Shard> {
        self.shards[shard]
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

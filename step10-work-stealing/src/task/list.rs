//! The tasks that wait, so that the end of the runtime finds them.
//!
//! The end finds a task that is in a queue or is being polled without this list. So a task enters it only when its first poll is
//! pending.

use std::cell::Cell;

use slab::Slab;

use crate::sync::{Mutex, MutexGuard, lock};

use super::reference::Task;

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
pub(crate) struct List(Box<[Mutex<Shard>]>);

#[derive(Default)]
struct Shard {
    tasks: Slab<Task>,
    /// The runtime has ended, so no task may wait any more.
    closed: bool,
}

/// The place of a task in the list.
pub(crate) struct Entry {
    shard: u32,
    place: u32,
}

impl List {
    pub(crate) fn new() -> List {
        List((0..SHARDS).map(|_| Mutex::default()).collect())
    }

    /// Adds a reference to the task, unless the list is closed.
    pub(super) fn insert(&self, task: &Task) -> Option<Entry> {
        let number = NEXT.replace((NEXT.get() + 1) % SHARDS);
        let mut shard = self.shard(number);
        if shard.closed {
            return None;
        }
        let place = shard.tasks.insert(task.clone());
        drop(shard);
        let fits = "there are fewer than 2^32 shards, and fewer tasks in each";
        Some(Entry {
            shard: number.try_into().expect(fits),
            place: place.try_into().expect(fits),
        })
    }

    /// Drops the reference.
    pub(super) fn remove(&self, entry: Entry) {
        let mut shard = self.shard(entry.shard as usize);
        let task = shard.tasks.remove(entry.place as usize);
        drop(shard);
        drop(task);
    }

    /// Takes no more tasks, and returns all that are there. A task stays until it is finished.
    pub(crate) fn close(&self) -> Vec<Task> {
        let mut all = Vec::new();
        for number in 0..SHARDS {
            let mut shard = self.shard(number);
            shard.closed = true;
            all.extend(shard.tasks.iter().map(|(_, task)| task.clone()));
        }
        all
    }

    /// The number of tasks.
    pub(crate) fn len(&self) -> usize {
        let shards = (0..SHARDS).map(|number| self.shard(number));
        shards.map(|shard| shard.tasks.len()).sum()
    }

    fn shard(&self, number: usize) -> MutexGuard<'_, Shard> {
        lock(&self.0[number])
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::task::{reference::Why, schedule::Schedule, spawn::spawn};

    struct Runtime(List);

    impl Schedule for Runtime {
        type RunQueue = ();

        fn run_queue(self: &Arc<Self>) {}

        fn schedule((): (), _: Task, _: Why) {}

        fn waiting_tasks(&self) -> &List {
            &self.0
        }
    }

    /// With all of them in one shard, the workers would wait for one lock.
    #[test]
    fn the_tasks_of_a_thread_are_spread_over_all_shards() {
        let runtime = Arc::new(Runtime(List::new()));
        let list = &runtime.0;
        let (task, _handle) = spawn(async {}, runtime.clone());
        let entries: Vec<_> = (0..2 * SHARDS).map(|_| list.insert(&task)).collect();
        let counts: Vec<_> = (0..SHARDS).map(|n| list.shard(n).tasks.len()).collect();
        entries
            .into_iter()
            .flatten()
            .for_each(|entry| list.remove(entry));
        task.shut_down();
        assert_eq!(counts, vec![2; SHARDS]);
    }
}

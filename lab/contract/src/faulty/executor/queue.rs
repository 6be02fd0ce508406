//! The executor's queue: how a task gets into it, and out of it.

use std::{
    sync::{Arc, MutexGuard, PoisonError, atomic::Ordering::SeqCst},
    thread,
};

use super::{A_MILLISECOND, Executor, Task};
use crate::{Fault, lock::lock};

impl Executor {
    /// Queues a task, unless it is queued, and wakes the threads that sleep.
    pub(super) fn schedule(&self, task: &Arc<Task>, tell: bool) {
        let mut queue = lock(&self.queue);
        match self.fault {
            Fault::QueuesEveryWake => {}
            Fault::BlocksWhenFull => {
                while queue.len() >= 256 {
                    queue = self.wait(queue);
                }
            }
            Fault::TogglesWhenWoken if task.queued.fetch_xor(true, SeqCst) => {
                queue.retain(|queued| queued.id != task.id);
                return;
            }
            Fault::TogglesWhenWoken => {}
            _ if task.queued.swap(true, SeqCst) => return,
            Fault::DropsWhenFull if queue.len() >= 4_096 => return,
            _ => {}
        }
        queue.push_back(task.clone());
        if tell {
            self.changed.notify_all();
        }
    }

    /// Takes a task out of the queue again.
    pub(super) fn unschedule(&self, task: &Task) {
        lock(&self.queue).retain(|queued| queued.id != task.id);
        task.queued.store(false, SeqCst);
    }

    /// The next task to be polled, or `None` when it is over.
    pub(super) fn next(&self, worker: usize) -> Option<Arc<Task>> {
        let mut queue = lock(&self.queue);
        loop {
            let waits_for_first =
                self.fault == Fault::WaitsForTheFirst && !self.polled.load(SeqCst);
            let over = self.left.load(SeqCst) == 0 && !waits_for_first;
            if over || self.stopped.load(SeqCst) {
                return None;
            }
            let task = match self.fault {
                Fault::LastInFirstOut => queue.pop_back(),
                Fault::ServesItsOwnSpawnsFirst | Fault::ServesItsOwnWakesFirst => {
                    let own = queue.iter().position(|it| !it.from_outside.load(SeqCst));
                    queue.remove(own.unwrap_or(0))
                }
                Fault::PlacesTasksInPairs => {
                    let mine = |task: &Arc<Task>| task.worker.is_none_or(|it| it == worker);
                    let place = queue.iter().position(mine);
                    place.and_then(|place| queue.remove(place))
                }
                _ => queue.pop_front(),
            };
            if task.is_some() {
                return task;
            }
            match self.fault {
                Fault::StopsWhenIdle => return None,
                Fault::SpinsForWork => {
                    drop(queue);
                    queue = lock(&self.queue);
                    continue;
                }
                // So that a wake is sure to come while the queue is locked.
                Fault::GivesUpTheLock => thread::sleep(2 * A_MILLISECOND),
                _ => {}
            }
            queue = self.wait(queue);
        }
    }

    fn wait<'a, T>(&self, queue: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.changed
            .wait(queue)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

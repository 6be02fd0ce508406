//! How a worker gets at tasks that are not in its own queue: its share of the injector, and half of another worker's queue.

use crossbeam_deque::Steal;

use crate::{shared::Remote, task::Task};

use super::Local;

impl Local {
    /// Takes this worker's share of what is in the injector. All but the first go into the queue, where others may steal them.
    /// Without thieves, the share is one task.
    pub(super) fn pop_share(&self) -> Option<Task> {
        if !self.shared.version.steals() {
            return self.shared.injector.pop();
        }
        let mut batch = self.batch.take();
        let workers = self.shared.workers.len();
        let first = self.shared.injector.pop_share(workers, &mut batch);
        // Only now is the injector's lock free, and the queue may have to allocate.
        batch.drain(..).for_each(|task| self.queue.push(task));
        self.batch.set(batch);
        first
    }

    /// Takes half of what another worker has in its queue, 32 tasks at most, unless enough workers search already.
    // ANCHOR: steal
    pub(super) fn steal(&self) -> Option<Task> {
        if !self.may_search() {
            return None;
        }
        let workers = &self.shared.workers;
        // The search begins anywhere, so that thieves do not follow each other from victim to victim.
        let (last, first) = workers.split_at(fastrand::usize(..workers.len()));
        let steal = |victim: &Remote| victim.stealer.steal_batch_and_pop(&self.queue);
        loop {
            // The first success, or else `Retry` if another thief or the owner took tasks from one of the queues at the same
            // moment: more may be left there. From itself, whose queue is empty, the thief gets nothing.
            match first.iter().chain(last).map(steal).collect() {
                Steal::Success(task) => {
                    let counts = &self.remote().counts;
                    counts.steals.add(1);
                    counts.stolen.add(1 + self.queue.len() as u64);
                    return Some(task);
                }
                Steal::Empty => return None,
                Steal::Retry => {}
            }
        }
    }
    // ANCHOR_END: steal
}

//! How a worker gets at tasks that are not in its own queue: its share of the injector, and half of a victim's queue.

use crossbeam_deque::Steal;

use crate::{shared::Remote, task::Task};

use super::Local;

impl Local {
    /// Takes this worker's share of what is in the injector, from which others may steal then.
    pub(crate) fn pop_share(&self) -> Option<Task> {
        let mut share = self.share.take();
        let workers = self.shared.workers.len();
        let first = self.shared.injector.pop_share(workers, &mut share);
        // Now that the lock is free, because the queue may need more memory.
        share.drain(..).for_each(|task| self.queue.push(task));
        self.share.set(share);
        first
    }

    /// Takes half of what another worker has in its queue, unless enough workers search already.
    pub(crate) fn steal(&self) -> Option<Task> {
        self.may_search().then(|| self.steal_half())?
    }

    // ANCHOR: steal
    fn steal_half(&self) -> Option<Task> {
        let workers = &self.shared.workers;
        // Begins anywhere, so that thieves do not follow each other from victim to victim.
        let (last, first) = workers.split_at(fastrand::usize(..workers.len()));
        let steal = |victim: &Remote| victim.stealer.steal_batch_and_pop(&self.queue);
        loop {
            // The first success, or else `Retry` if two thieves, or a thief and an owner, came at
            // once. From itself, whose queue is empty, the thief gets nothing.
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

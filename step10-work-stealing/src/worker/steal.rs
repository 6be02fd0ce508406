//! How a worker gets at tasks that are not in its own queue: its share of the injector, and half of a victim's queue.

use crossbeam_deque::Steal;

use crate::task::Task;

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
        let shared = &self.shared;
        let (all, start) = (shared.workers.len(), self.random());
        loop {
            let others = (0..all).map(|next| (start + next) % all);
            let others = others.filter(|other| *other != self.number);
            // The first success, or else `Retry` if two thieves, or a thief and an owner, came at once.
            let stolen = others
                .map(|other| {
                    shared.workers[other]
                        .stealer
                        .steal_batch_and_pop(&self.queue)
                })
                .collect();
            match stolen {
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

    /// A number that is another one each time, so that thieves do not follow each other from victim to victim.
    fn random(&self) -> usize {
        let mut number = self.random.get();
        number ^= number << 7;
        number ^= number >> 9;
        self.random.set(number);
        number
    }
}

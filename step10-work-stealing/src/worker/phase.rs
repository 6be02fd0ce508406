//! What a worker is doing, as far as others have to know. They read it in the counts of the [`IdleSet`], so whatever changes the one
//! here changes the other.

use std::cell::Cell;

use crate::idle::{BeforeSleep, IdleSet};

/// A worker's phase decides in which of the counts it is.
///
/// | from | to | by | what changes in the counts |
/// |---|---|---|---|
/// | `Polling` or `Slept` | `Searching` | [`start_searching`](CurrentPhase::start_searching), if it may | one more searches |
/// | `Slept` | `Searching` | [`search_for_what_was_seen`](CurrentPhase::search_for_what_was_seen) | one more searches |
/// | any | `Slept` | [`fall_asleep`](CurrentPhase::fall_asleep) | one more sleeps; from `Searching`, one less searches |
/// | `Slept` | `Searching` | [`wake_up`](CurrentPhase::wake_up), if it was chosen | nothing: who has chosen it has done that |
/// | `Slept` | `Slept` | [`wake_up`](CurrentPhase::wake_up), if it was not | one less sleeps |
/// | `Searching` | `Polling` | [`start_polling`](CurrentPhase::start_polling) | one less searches |
/// | `Polling` or `Slept` | `Polling` | [`start_polling`](CurrentPhase::start_polling) | nothing |
///
/// Beside that, one that sleeps may count as checking from `fall_asleep` to `wake_up`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    /// It polls tasks, one after the other, and is in no count.
    #[default]
    Polling,
    /// It has nothing to poll, and is counted among the workers that search in the local queues of others.
    Searching,
    /// It has announced that it sleeps, and polled nothing since. It is counted as sleeping until it wakes up, and from then on it
    /// is in no count.
    Slept,
}

/// The phase of one worker. Only that worker's thread reads it.
#[derive(Default)]
pub(super) struct CurrentPhase(Cell<Phase>);

impl CurrentPhase {
    pub(super) fn is_polling(&self) -> bool {
        self.0.get() == Phase::Polling
    }

    fn is_searching(&self) -> bool {
        self.0.get() == Phase::Searching
    }

    /// The worker has nothing to poll, and is searching from now on if it was not before. Returns `false` if half of the `workers`
    /// search already, and then its phase stays what it is.
    pub(super) fn start_searching(&self, idle: &IdleSet, workers: usize) -> bool {
        if self.is_searching() {
            return true;
        }
        let may = idle.start_searching(workers);
        if may {
            self.0.set(Phase::Searching);
        }
        may
    }

    /// The worker is awake, and has seen a task at its last look. It searches for that, even if half of the workers search already.
    /// Otherwise it could not steal what it has seen, and would look again and again until a searcher has taken it.
    pub(super) fn search_for_what_was_seen(&self, idle: &IdleSet) {
        idle.count_as_searching();
        self.0.set(Phase::Searching);
    }

    /// Announces that the worker sleeps. Returns whether it counts as checking meanwhile.
    pub(super) fn fall_asleep(&self, idle: &IdleSet, worker: usize, has_checked: bool) -> bool {
        let before = BeforeSleep {
            is_searching: self.is_searching(),
            has_checked,
        };
        self.0.set(Phase::Slept);
        idle.fall_asleep(worker, before)
    }

    /// The worker is awake. Returns whether another thread has chosen it to search, and then it is searching.
    pub(super) fn wake_up(&self, idle: &IdleSet, worker: usize, checks: bool) -> bool {
        let is_chosen = idle.wake_up(worker, checks);
        if is_chosen {
            self.0.set(Phase::Searching);
        }
        is_chosen
    }

    /// The worker has something to do. Returns whether it was the last of the searchers, which it leaves.
    pub(super) fn start_polling(&self, idle: &IdleSet) -> bool {
        match self.0.replace(Phase::Polling) {
            Phase::Searching => idle.stop_searching(),
            // It has not counted as searching, so no thread has relied on its search.
            Phase::Polling | Phase::Slept => false,
        }
    }
}

//! What a worker is doing, as far as others have to know. They read it in the counts of the [`IdleSet`], so whatever changes the one
//! here changes the other.

use std::cell::Cell;

use crate::idle::{BeforeSleep, IdleSet};

/// A worker's phase decides in which of the counts it is.
///
/// | from | to | by | what changes in the counts |
/// |---|---|---|---|
/// | `Polling` or `Slept` | `Searching` | [`start_searching`](CurrentPhase::start_searching), if it may | one more searches |
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
    pub(super) fn is_searching(&self) -> bool {
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

    /// The worker has something to do. Returns `None` if it was polling before, and otherwise whether it has left the searchers
    /// as the last of them.
    pub(super) fn start_polling(&self, idle: &IdleSet) -> Option<bool> {
        match self.0.replace(Phase::Polling) {
            Phase::Polling => None,
            Phase::Searching => Some(idle.stop_searching()),
            // It has not counted as searching since its announcement, so no thread has relied on its search.
            Phase::Slept => Some(false),
        }
    }
}

//! From what was seen of a task to what is wrong with it.

use crate::{
    facts::{Facts, State},
    mutex::Wait,
    place::Place,
};

/// What keeps a task from its end. The order is that of the messages: a cause stands before what
/// may only follow from it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Diagnosis {
    /// Waits inside `poll` for a lock that its own thread holds.
    LockTwice,
    /// Waits inside `poll` for a lock that another thread holds.
    LockHeld,
    /// A poll began and has not returned.
    Blocked,
    /// The waker of the latest poll was never cloned.
    KeptNoWaker,
    /// All clones of the latest waker are gone, and none was woken.
    WakerDropped,
    /// An earlier waker was woken since the latest poll began, and the waker of that poll was not.
    OldWoken,
    /// A waker of an earlier poll is kept, and none of the latest.
    OldKept,
    /// Polled although it had been `Ready`.
    PolledAfterReady,
    Panicked,
    /// Woken since the latest poll began, and not polled since.
    NotPolledAgain,
    NeverPolled,
    /// A waker is kept, but it was not woken.
    NotWoken,
    /// Polled all the time, though no wake asks for it.
    BusyExecutor,
    /// Polled all the time, because each poll wakes its own task.
    BusyFuture,
    /// Polled again and again, and woken each time: it may get there.
    AtWork,
}

/// From so many polls on, a task that moves is called busy.
const MANY: usize = 20;

impl Diagnosis {
    /// Compares two looks at one task, inside whose poll its thread may wait for a lock. `None` if it is done: ready or dropped.
    pub(crate) fn of(earlier: &Facts, now: &Facts, lock: Option<&Wait>) -> Option<Self> {
        if let State::Panicked = now.state {
            return Some(Self::Panicked);
        }
        if now.dropped {
            return None;
        }
        if now.polls > earlier.polls {
            return Some(Self::moving(now));
        }
        match &now.state {
            State::New => Some(Self::NeverPolled),
            State::Polling(place) => Some(Self::inside_poll(place, lock)),
            State::Pending => Some(Self::pending(now)),
            State::Ready if now.polls_after_ready > 0 => Some(Self::PolledAfterReady),
            _ => None,
        }
    }

    /// Whether its thread can do nothing else in the meantime.
    pub(crate) fn holds_the_thread(self) -> bool {
        self <= Self::Blocked
    }

    /// Whether it may be no more than what follows from a thread that cannot come.
    pub(crate) fn waits_for_a_thread(self) -> bool {
        matches!(self, Self::NotPolledAgain | Self::NeverPolled)
    }

    fn moving(now: &Facts) -> Self {
        let most = |polls: usize| polls >= MANY && polls * 2 > now.polls;
        if most(now.unprompted) {
            Self::BusyExecutor
        } else if most(now.self_prompted) {
            Self::BusyFuture
        } else {
            Self::AtWork
        }
    }

    fn inside_poll(place: &Place, lock: Option<&Wait>) -> Self {
        match lock {
            Some(wait) if wait.holder.id == place.id => Self::LockTwice,
            Some(_) => Self::LockHeld,
            None => Self::Blocked,
        }
    }

    fn pending(now: &Facts) -> Self {
        if now.wakes_of_latest > 0 {
            Self::NotPolledAgain
        } else if now.wakes_of_old > 0 {
            Self::OldWoken
        } else if now.alive_of_latest() > 0 {
            Self::NotWoken
        } else if now.kept_of_latest > 0 {
            Self::WakerDropped
        } else if now.alive() > 0 {
            Self::OldKept
        } else {
            Self::KeptNoWaker
        }
    }
}

//! From what was seen of a task to what is wrong with it.

use crate::{
    facts::{Facts, State},
    mutex::{self, Wait},
    place::Place,
};

/// What keeps a task from its end. The order is that of the messages: a cause stands before what
/// may only follow from it.
pub(crate) enum Diagnosis {
    /// Waits inside `poll` for a lock that its own thread holds.
    LockTwice(Wait),
    /// Waits inside `poll` for a lock that another thread holds.
    LockHeld(Wait),
    /// A poll began and has not returned.
    Blocked(Place),
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
    /// A waker is kept, but it was not woken.
    NotWoken,
    /// Woken since the latest poll began, and not polled since.
    NotPolledAgain,
    NeverPolled,
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
    /// Compares two looks at one task. `None` if it is done: ready or dropped.
    pub(crate) fn of(earlier: &Facts, now: &Facts) -> Option<Self> {
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
            State::Polling(place) => Some(Self::inside_poll(place.clone())),
            State::Pending => Some(Self::pending(now)),
            State::Ready if now.polls_after_ready > 0 => Some(Self::PolledAfterReady),
            _ => None,
        }
    }

    /// Whether its thread can do nothing else in the meantime.
    pub(crate) fn holds_the_thread(&self) -> bool {
        matches!(
            self,
            Self::LockTwice(_) | Self::LockHeld(_) | Self::Blocked(_)
        )
    }

    /// Whether it may be no more than what follows from a thread that cannot come.
    pub(crate) fn waits_for_a_thread(&self) -> bool {
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

    fn inside_poll(place: Place) -> Self {
        match mutex::wait_of(place.id) {
            Some(wait) if wait.holder.id == place.id => Self::LockTwice(wait),
            Some(wait) => Self::LockHeld(wait),
            None => Self::Blocked(place),
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

    pub(crate) fn rank(&self) -> usize {
        match self {
            Self::LockTwice(_) => 0,
            Self::LockHeld(_) => 1,
            Self::Blocked(_) => 2,
            Self::KeptNoWaker => 3,
            Self::WakerDropped => 4,
            Self::OldWoken => 5,
            Self::OldKept => 6,
            Self::PolledAfterReady => 7,
            Self::Panicked => 8,
            Self::NotPolledAgain => 9,
            Self::NeverPolled => 10,
            Self::NotWoken => 11,
            Self::BusyExecutor => 12,
            Self::BusyFuture => 13,
            Self::AtWork => 14,
        }
    }
}

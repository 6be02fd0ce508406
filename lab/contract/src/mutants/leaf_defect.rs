//! The mistakes that a leaf future can make.

use super::timer::MutantTimer;
use crate::Leaf;

/// One mistake in a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafDefect {
    /// No mistake.
    None,
    /// The thread is started by whoever makes the timer, and not by the first poll.
    StartsAtOnce,
    /// Pending, and no waker is kept.
    KeepsNoWaker,
    /// The waker of the first poll is kept, and no other.
    KeepsTheFirstWaker,
    /// A waker is kept if it differs from the one of the first poll.
    ComparesWithTheFirst,
    /// Each poll wakes.
    WakesInEachPoll,
    /// Whoever polls again must have been woken, so the time must be over.
    ReadyAtTheSecondPoll,
    /// Each poll starts a thread.
    StartsAThreadInEachPoll,
    /// Each poll boxes something.
    AllocatesInEachPoll,
    /// The wakers of all polls are kept.
    KeepsEveryWaker,
    /// The thread sleeps on when the timer is dropped, and keeps the waker.
    SleepsOnWhenDropped,
    /// The waker is woken by reference, and is kept in a cycle.
    LeaksWhenOver,
    /// Zero milliseconds are taken to mean: never.
    ZeroIsNever,
    /// The deadline is now plus the duration, whatever comes of it.
    Overflows,
    /// Once it was ready it is pending.
    PendingAfterReady,
    /// All timers keep their waker in one place.
    SharesOnePlace,
    /// One thread sleeps for one timer at a time, in the order in which they came.
    SleepsInOrder,
    /// The waker is called under the lock that `poll` and `drop` take.
    WakesUnderItsLock,
}

impl LeafDefect {
    /// The timer with this mistake.
    pub fn leaf(self) -> &'static dyn Leaf {
        Box::leak(Box::new(MutantTimer(self)))
    }
}

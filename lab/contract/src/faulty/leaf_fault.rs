//! The faults that a leaf future can have.

/// One fault in a timer, or in the driver that its timers share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeafFault {
    /// No fault.
    None,
    /// No fault: its clock shows two years, and it panics where it is asked for more.
    TwoYearsAtMost,
    /// No fault: it shares an `Rc` with what makes it ready, so it is bound to its thread.
    IsLocal,
    /// It is bound to its thread, and woken while what it shares is borrowed.
    WakesWhileBorrowed,
    /// A thread is started for each timer that is made, polled or not. The driver starts it, and is late.
    StartsAtOnce,
    /// A thread is started for each poll. The driver starts it, and is late.
    StartsAThreadInEachPoll,
    /// Each poll boxes something.
    AllocatesInEachPoll,
    /// Pending, and no waker is kept.
    KeepsNoWaker,
    /// The waker of the first poll is kept, and no other.
    KeepsTheFirstWaker,
    /// A waker is kept if it differs from the one of the first poll.
    ComparesWithTheFirst,
    /// The wakers of all polls are kept.
    KeepsEveryWaker,
    /// All timers keep their waker in one place.
    SharesOnePlace,
    /// Each poll wakes.
    WakesInEachPoll,
    /// A second poll means that a wake has come, so the time must be over.
    ReadyAtTheSecondPoll,
    /// Only whole seconds are counted.
    RoundsDown,
    /// Milliseconds are a signed number. The longest duration is the number -1, and over.
    WrapsAround,
    /// The deadline is now plus the duration, whatever comes of it.
    Overflows,
    /// Zero milliseconds are taken to mean: never.
    ZeroIsNever,
    /// Once it was ready it is pending.
    PendingAfterReady,
    /// The driver waits for one timer at a time, in the order in which they came.
    SleepsInOrder,
    /// Once a timer was dropped early, the driver looks for those that are due when no more than one is left.
    LooksWhenAllIsQuiet,
    /// Dropped early, the timer stays in the map, with its waker.
    StaysWhenDropped,
    /// Each timer has a thread, which stays when the timer is dropped early.
    ThreadStaysWhenDropped,
    /// The waker is woken by reference, and stays in the map.
    LeaksWhenOver,
    /// The waker is cloned under the lock of the map.
    ClonesUnderItsLock,
    /// The earlier waker is dropped under the lock of the map, in the poll that brings another.
    ReplacesUnderItsLock,
    /// The waker is dropped under the lock of the map, when the timer is.
    RemovesUnderItsLock,
    /// The waker is called under the lock of the map.
    WakesUnderItsLock,
    /// A waker that panics ends the driver.
    DiesOfAPanic,
    /// Each timer has a thread. The waker is dropped before that thread is sent away, and may panic.
    PanicsBeforeItForgets,
    /// The driver ends without a word.
    EndsSilently,
    /// The driver wakes all that wait as it ends, but they wait on.
    WaitsForNoDriver,
    /// The driver wakes all that wait as it ends, and keeps their wakers.
    KeepsWakersAsItEnds,
}

impl LeafFault {
    /// Unusual, and sound: every clause lets these pass. Each showed a clause that demanded too much.
    pub const SOUND: &[LeafFault] = &[
        LeafFault::None,
        LeafFault::TwoYearsAtMost,
        LeafFault::IsLocal,
    ];
}

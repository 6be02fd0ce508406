//! The faults that an executor or a leaf future can have. Those who only want to know what a clause catches need no more than these
//! names, so they are here without the feature `faulty` too.

/// One fault in an executor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// No fault.
    #[default]
    None,
    /// No fault: a waker wakes until the next poll, which brings another one.
    AWakerPerPoll,
    /// No fault: there are two workers, and of the tasks that are spawned before it runs, every other two belong to one of them.
    PlacesTasksInPairs,
    /// No fault of its tasks: something small is left of each executor, however many tasks it has run.
    LeavesAnInstance,
    /// `run` returns at once, and polls nothing.
    RunsNothing,
    /// `run` returns when the queue is empty.
    StopsWhenIdle,
    /// `run` waits for a task before it looks whether there is any.
    WaitsForTheFirst,
    /// The queue has room for 4,096 tasks, and forgets those for which it has none.
    DropsWhenFull,
    /// There is room for 4,096 tasks, and `spawn` drops those for which there is none.
    RefusesWhenFull,
    /// `run` waits until no waker is left.
    WaitsForWakers,
    /// `wake_by_ref` expects the executor to be there.
    PanicsAfterTheEnd,
    /// `wake` by value expects the executor to be there.
    PanicsAfterTheEndByValue,
    /// A future that is woken in its last poll is polled once more.
    PollsWhatWokeItself,
    /// A finished future stays in its task. Only the wakes of its last poll are taken back.
    PollsAfterReady,
    /// The flag that says "queued" is cleared after the poll, and not before.
    ForgetsWakesInPoll,
    /// The queue belongs to a thread, and a wake on another thread goes nowhere.
    HearsItsOwnThreadOnly,
    /// `wake` on another thread panics if the task is being polled, and has queued it by then.
    PanicsWhenWokenInPoll,
    /// `wake` queues the task without ending the executor's sleep.
    SleepsThroughWakes,
    /// `wake_by_ref` does nothing.
    WakesByValueOnly,
    /// `wake` by value does nothing.
    WakesByReferenceOnly,
    /// `wake_by_ref` does nothing if there is another clone.
    ClonesWakeByValueOnly,
    /// A wake turns the flag that says "queued" over.
    TogglesWhenWoken,
    /// There is no flag that says "queued".
    QueuesEveryWake,
    /// A poll in which the waker is not cloned is taken to mean that nothing can wake the task any more.
    ExpectsACloneInEachPoll,
    /// `wake` gives up if the queue is locked.
    GivesUpTheLock,
    /// `wake` polls the task there and then.
    PollsInWake,
    /// `wake` needs a thread-local of its own.
    WakesByThreadLocal,
    /// `wake` needs one if the task is idle, which it is a while after its poll.
    WakesIdleTasksByThreadLocal,
    /// There are two workers, and one lock that is held during the poll.
    PollsOneAtATime,
    /// A pending task goes back into the queue.
    PollsUnasked,
    /// A wake queues all tasks.
    WakesEverybody,
    /// It does not sleep, but looks into the queue again and again.
    SpinsForWork,
    /// `wake` by value does not give its reference back.
    LeaksWhenWoken,
    /// `wake_by_ref` adds a reference, and does not give it back.
    LeaksWhenWokenByReference,
    /// One small allocation is left of each task.
    LeavesAnAllocation,
    /// A thread is left of each run.
    LeavesAThread,
    /// The queue is a stack.
    LastInFirstOut,
    /// What its own thread has spawned comes before what others have.
    ServesItsOwnSpawnsFirst,
    /// What its own thread has woken comes before what others have.
    ServesItsOwnWakesFirst,
    /// The queue has room for 256 tasks and no flag that says "queued", and `wake` waits until there is room.
    BlocksWhenFull,
    /// Finished futures are dropped when `run` returns.
    KeepsWhatIsReady,
    /// Finished futures are never dropped.
    ForgetsWhatIsReady,
    /// A future that is finished or has panicked is dropped under the lock of the queue.
    DropsUnderItsLock,
    /// Tasks that were never run are forgotten with the executor.
    ForgetsTheUnrun,
    /// Tasks that wait are forgotten with the executor.
    ForgetsWhatWaits,
    /// The executor drops its references to the tasks, and not the futures in them.
    LeavesTasksToTheirWakers,
    /// The queue and the wakers own the tasks: who drops the last waker drops the future.
    WakersOwnTasks,
    /// Tasks are dropped with the executor under the lock that `spawn` takes.
    CancelsUnderItsLock,
    /// What is spawned after the end is dropped under the lock that `spawn` takes.
    RefusesUnderItsLock,
    /// What is spawned after the end is kept, and never dropped.
    KeepsWhatIsSpawnedLate,
    /// What is spawned after the end is polled there and then.
    PollsWhatIsSpawnedLate,
    /// The poll is made under the lock that `spawn` takes.
    PollsUnderTheLockOfSpawn,
    /// The poll is made under the lock that `wake` takes.
    PollsUnderTheLockOfWake,
    /// A wake or a spawn on another thread waits until the executor has polled, and dropped what is finished.
    MakesOthersWait,
    /// The panic of a task is not caught.
    LetsPanicsThrough,
    /// `run` returns when a task has panicked, in its poll or in its destructor.
    EndsWithAPanic,
    /// A future that panicked is polled once more.
    PollsAfterAPanic,
    /// A future that panicked stays in its task.
    KeepsWhatPanicked,
    /// A future that panicked is never dropped.
    ForgetsWhatPanicked,
    /// The panic of a destructor is not caught.
    TrustsDestructors,
    /// The panic of a destructor is not caught where the future was dropped with the executor.
    TrustsDestructorsAtTheEnd,
    /// A task that ends does not wake the task that waits for it.
    EndsInSilence,
    /// The output is thrown away if no task waits for it yet.
    AnswersOnlyWhoWaits,
    /// The task that waits for an output gets 0.
    AnswersZero,
    /// The waiting side learns that there was a panic, but not its message.
    LosesTheMessage,
    /// `block_on` uses one parker for each thread, also where it is nested.
    OneParkerToAThread,
    /// Run inside one of its polls, it panics without a message.
    RefusesWithoutAWord,
    /// `block_on` parks after each poll, and its waker unparks the thread and does nothing else.
    TokenIsTheWake,
    /// What is spawned while it runs is not queued.
    SpawnsOnlyBeforeItRuns,
    /// What is spawned while it runs is dropped.
    RefusesWhatIsSpawned,
    /// What another thread spawns while it runs is dropped.
    RefusesWhatOthersSpawn,
    /// `spawn` queues the task without ending the executor's sleep.
    SleepsThroughSpawns,
    /// There are two workers, and what one of them spawns is polled by that one.
    KeepsWhatItSpawned,
}

impl Fault {
    /// Unusual, and sound: every clause lets these pass. Each showed a clause that demanded too much.
    pub const SOUND: &[Fault] = &[
        Fault::None,
        Fault::AWakerPerPoll,
        Fault::PlacesTasksInPairs,
        Fault::LeavesAnInstance,
    ];
}

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

//! The faults that an executor or a leaf future can have. An author needs no more than these
//! names, to know what a clause catches. `tests/faulty` has an executor, a timer and a channel with each of them.

macro_rules! faults {
    ($(#[$about:meta])* $Name:ident { $($sound:ident: $no_fault:literal,)* } { $($fault:ident: $is:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $Name {
            /// No fault.
            #[default]
            None,
            $(#[doc = concat!("No fault: ", $no_fault)] $sound,)*
            $(#[doc = $is] $fault,)*
        }

        impl $Name {
            /// Unusual, and sound: every clause lets these pass. Each showed a clause that demanded too much.
            pub const SOUND: &[$Name] = &[$Name::None, $($Name::$sound),*];
        }
    };
}

faults! {
    /// One fault in an executor.
    Fault {
        AWakerPerPoll: "a waker wakes until the next poll, which brings another one.",
        PlacesTasksInPairs: "there are two workers, and of the tasks that are spawned before it runs, every other two belong to one of them.",
        SaysThatItLetsPanicsThrough: "the panic of a task is not caught, and it says so.",
        PollsUnasked: "after each poll for which there was a wake, there is another one for which there was none.",
        LeavesAnInstance: "something small is left of each executor, however many tasks it has run.",
    } {
        PanicsBesides: "A thread of its own panics, and nothing comes of it.",
        RunsNothing: "`run` returns at once, and polls nothing.",
        StopsWhenIdle: "`run` returns when the queue is empty.",
        WaitsForTheFirst: "`run` waits for a task before it looks whether there is any.",
        DropsWhenFull: "The queue has room for 4,096 tasks, and forgets those for which it has none.",
        RefusesWhenFull: "There is room for 4,096 tasks, and `spawn` drops those for which there is none.",
        WaitsForWakers: "`run` waits until no waker is left.",
        PanicsAfterTheEnd: "`wake_by_ref` expects the executor to be there.",
        PanicsAfterTheEndByValue: "`wake` by value expects the executor to be there.",
        PollsWhatWokeItself: "A future that is woken in its last poll is polled once more.",
        PollsAfterReady: "A finished future stays in its task. Only the wakes of its last poll are taken back.",
        ForgetsWakesInPoll: "The flag that says \"queued\" is cleared after the poll, and not before.",
        HearsItsOwnThreadOnly: "The queue belongs to a thread, and a wake on another thread goes nowhere.",
        PanicsWhenWokenInPoll: "`wake` on another thread panics if the task is being polled, and has queued it by then.",
        SleepsThroughWakes: "`wake` queues the task without ending the executor's sleep.",
        WakesByValueOnly: "`wake_by_ref` does nothing.",
        WakesByReferenceOnly: "`wake` by value does nothing.",
        ClonesWakeByValueOnly: "`wake_by_ref` does nothing if there is another clone.",
        TogglesWhenWoken: "A wake turns the flag that says \"queued\" over.",
        QueuesEveryWake: "There is no flag that says \"queued\".",
        ExpectsACloneInEachPoll: "A poll in which the waker is not cloned is taken to mean that nothing can wake the task any more.",
        GivesUpTheLock: "`wake` gives up if the queue is locked.",
        PollsInWake: "`wake` polls the task there and then.",
        WakesByThreadLocal: "`wake` needs a thread-local of its own.",
        WakesIdleTasksByThreadLocal: "`wake` needs one if the task is idle, which it is a while after its poll.",
        PollsOneAtATime: "There are two workers, and one lock that is held during the poll.",
        WakesEverybody: "A wake queues all tasks.",
        SpinsForWork: "It does not sleep, but looks into the queue again and again.",
        YieldsForWork: "It does not sleep, but yields its thread and looks into the queue again.",
        LeaksWhenWoken: "`wake` by value does not give its reference back.",
        LeaksWhenWokenByReference: "`wake_by_ref` adds a reference, and does not give it back.",
        LeavesAnAllocation: "One small allocation is left of each task.",
        LeavesAThread: "A thread is left of each run.",
        LastInFirstOut: "The queue is a stack.",
        ServesItsOwnSpawnsFirst: "What its own thread has spawned comes before what others have.",
        ServesItsOwnWakesFirst: "What its own thread has woken comes before what others have.",
        BlocksWhenFull: "The queue has room for 256 tasks and no flag that says \"queued\", and `wake` waits until there is room.",
        KeepsWhatIsReady: "Finished futures are dropped when `run` returns.",
        ForgetsWhatIsReady: "Finished futures are never dropped.",
        DropsUnderItsLock: "A future that is finished or has panicked is dropped under the lock of the queue.",
        ForgetsTheUnrun: "Tasks that were never run are forgotten with the executor.",
        RunsOneAtATime: "There is one lock for all executors of the process, which is held while one runs.",
        AbortsWhenWoken: "An aborted task that waits is dropped by its next poll, for which no wake comes.",
        MissesAnAbortInAPoll: "An abort in a poll of the same task is not seen after that poll.",
        PanicsAsItEnds: "A wake panics while the executor is being dropped.",
        ForgetsWhatWaits: "Tasks that wait are forgotten with the executor.",
        LeavesTasksToTheirWakers: "The executor drops its references to the tasks, and not the futures in them.",
        WakersOwnTasks: "The queue and the wakers own the tasks: who drops the last waker drops the future.",
        CancelsUnderItsLock: "Tasks are dropped with the executor under the lock that `spawn` takes.",
        RefusesUnderItsLock: "What is spawned after the end is dropped under the lock that `spawn` takes.",
        KeepsWhatIsSpawnedLate: "What is spawned after the end is kept, and never dropped.",
        PollsWhatIsSpawnedLate: "What is spawned after the end is polled there and then.",
        PollsUnderTheLockOfSpawn: "The poll is made under the lock that `spawn` takes.",
        PollsUnderTheLockOfWake: "The poll is made under the lock that `wake` takes.",
        MakesOthersWait: "A wake or a spawn on another thread waits until the executor has polled, and dropped what is finished.",
        LetsPanicsThrough: "The panic of a task is not caught.",
        EndsWithAPanic: "`run` returns when a task has panicked, in its poll or in its destructor.",
        PollsAfterAPanic: "A future that panicked is polled once more.",
        KeepsWhatPanicked: "A future that panicked stays in its task.",
        ForgetsWhatPanicked: "A future that panicked is never dropped.",
        TrustsDestructors: "The panic of a destructor is not caught.",
        TrustsDestructorsAtTheEnd: "The panic of a destructor is not caught where the future was dropped with the executor.",
        EndsInSilence: "A task that ends does not wake the task that waits for it.",
        AnswersOnlyWhoWaits: "The output is thrown away if no task waits for it yet.",
        AnswersZero: "The task that waits for an output gets 0.",
        LosesTheMessage: "The waiting side learns that there was a panic, but not its message.",
        OneParkerToAThread: "`block_on` uses one parker for each thread, also where it is nested.",
        RefusesWithoutAWord: "Run inside one of its polls, it panics without a message.",
        TokenIsTheWake: "`block_on` parks after each poll, and its waker unparks the thread and does nothing else.",
        SpawnsOnlyBeforeItRuns: "What is spawned while it runs is not queued.",
        RefusesWhatIsSpawned: "What is spawned while it runs is dropped.",
        RefusesWhatOthersSpawn: "What another thread spawns while it runs is dropped.",
        SleepsThroughSpawns: "`spawn` queues the task without ending the executor's sleep.",
        KeepsWhatItSpawned: "There are two workers, and what one of them spawns is polled by that one.",
    }
}

faults! {
    /// One fault in a timer, or in the driver that its timers share.
    LeafFault {
        TwoYearsAtMost: "its clock shows two years, and it panics where it is asked for more.",
        IsAChannel: "several futures wait for a message.",
        IsLocal: "it shares an `Rc` with what makes it ready, so it is bound to its thread.",
    } {
        WakesWhileBorrowed: "It is bound to its thread, and woken while what it shares is borrowed.",
        StartsAtOnce: "A thread is started for each timer that is made, polled or not. The driver starts it, and is late.",
        StartsAThreadInEachPoll: "A thread is started for each poll. The driver starts it, and is late.",
        AllocatesInEachPoll: "Each poll boxes something.",
        KeepsNoWaker: "Pending, and no waker is kept.",
        KeepsTheFirstWaker: "The waker of the first poll is kept, and no other.",
        ComparesWithTheFirst: "A waker is kept if it differs from the one of the first poll.",
        KeepsEveryWaker: "The wakers of all polls are kept.",
        SharesOnePlace: "All timers keep their waker in one place.",
        WakesInEachPoll: "Each poll wakes.",
        ReadyAtTheSecondPoll: "A second poll means that a wake has come, so the time must be over.",
        RoundsDown: "Only whole seconds are counted.",
        WrapsAround: "Milliseconds are a signed number. The longest duration is the number -1, and over.",
        Overflows: "The deadline is now plus the duration, whatever comes of it.",
        ZeroIsNever: "Zero milliseconds are taken to mean: never.",
        PendingAfterReady: "Once it was ready it is pending.",
        SleepsInOrder: "The driver waits for one timer at a time, in the order in which they came.",
        LooksWhenAllIsQuiet: "Once a timer was dropped early, the driver looks for those that are due when no more than one is left.",
        StaysWhenDropped: "Dropped early, the timer stays in the map, with its waker.",
        ThreadStaysWhenDropped: "Each timer has a thread, which stays when the timer is dropped early.",
        LeaksWhenOver: "The waker is woken by reference, and stays in the map.",
        ClonesUnderItsLock: "The waker is cloned under the lock of the map.",
        ReplacesUnderItsLock: "The earlier waker is dropped under the lock of the map, in the poll that brings another.",
        RemovesUnderItsLock: "The waker is dropped under the lock of the map, when the timer is.",
        WakesUnderItsLock: "The waker is called under the lock of the map.",
        DiesOfAPanic: "A waker that panics ends the driver.",
        PanicsBeforeItForgets: "Each timer has a thread. The waker is dropped before that thread is sent away, and may panic.",
        TakesOneWakerForOneTimer: "What a task wants to wait for is what it wanted first, also if it has dropped that.",
        ChecksBeforeItClones: "A channel that checks, then clones the waker, and then stores the clone.",
        LosesWhatWasGiven: "A channel that loses the message of a receiver that is dropped before its poll.",
        KeepsWhatIsQueued: "A channel that keeps its messages when its last receiver is dropped.",
        IgnoresAReset: "A new time is noted, and the driver not told.",
        EndsSilently: "The driver ends without a word.",
        WaitsForNoDriver: "The driver wakes all that wait as it ends, but they wait on.",
        KeepsWakersAsItEnds: "The driver wakes all that wait as it ends, and keeps their wakers.",
    }
}

//! The mistakes that an executor can make.

use super::runtime::Mutant;
use crate::Runtime;

/// One mistake in an executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// No mistake.
    None,
    /// `run` returns when the queue is empty.
    StopsWhenIdle,
    /// `run` waits for a task before it looks whether there is any.
    WaitsForTheFirst,
    /// The queue has room for 4,096 tasks, and forgets those for which it has none.
    DropsWhenFull,
    /// `run` waits until nobody keeps a waker.
    WaitsForWakers,
    /// `wake` expects the executor to be there.
    PanicsAfterTheEnd,
    /// A finished future stays in its task.
    PollsAfterReady,
    /// The flag that says "queued" is cleared after the poll, and not before.
    ForgetsWakesInPoll,
    /// The queue belongs to a thread, and a wake on another thread goes nowhere.
    HearsItsOwnThreadOnly,
    /// `wake` queues the task, and tells nobody.
    SleepsThroughWakes,
    /// `wake_by_ref` does nothing.
    WakesByValueOnly,
    /// A wake turns the flag that says "queued" over.
    TogglesWhenWoken,
    /// There is no flag that says "queued".
    QueuesEveryWake,
    /// Only the waker of the latest poll works.
    ForgetsEarlierWakers,
    /// `wake` gives up if the queue is locked.
    GivesUpTheLock,
    /// `wake` polls the task there and then.
    PollsInWake,
    /// `wake` needs a thread-local of its own.
    WakesByThreadLocal,
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
    /// The queue is a stack.
    LastInFirstOut,
    /// The queue has room for 256 tasks and no flag that says "queued", and `wake` waits until there is room.
    BlocksWhenFull,
    /// Finished futures are dropped when `run` returns.
    KeepsWhatIsReady,
    /// A finished future is dropped under the lock of the queue.
    DropsUnderItsLock,
    /// Tasks that were never run are forgotten with the executor.
    ForgetsTheUnrun,
    /// The executor drops its references to the tasks, and not the futures in them.
    LeavesTasksToTheirWakers,
    /// The panic of a task is not caught.
    LetsPanicsThrough,
    /// A future that panicked is never dropped.
    ForgetsWhatPanicked,
    /// The panic of a destructor is not caught.
    TrustsDestructors,
    /// A task that ends does not wake the one who waits for it.
    EndsInSilence,
    /// The output is thrown away if nobody waits for it yet.
    AnswersOnlyWhoWaits,
    /// The one who waits learns that there was a panic, and not its message.
    LosesTheMessage,
    /// `block_on` uses one parker for each thread, also where it is nested.
    OneParkerToAThread,
    /// `block_on` parks after each poll, and its waker unparks the thread and does nothing else.
    TokenIsTheWake,
    /// What is spawned while it runs is not queued.
    SpawnsOnlyBeforeItRuns,
    /// `spawn` queues the task, and tells nobody.
    SleepsThroughSpawns,
    /// There are two workers, and what one of them spawns is polled by that one.
    KeepsWhatItSpawned,
}

impl Defect {
    /// The executor with this mistake.
    pub fn runtime(self) -> &'static dyn Runtime {
        Box::leak(Box::new(Mutant(self)))
    }
}

//! A task may do anything that a waker or a handle lets it do, in a poll and in a destructor.
//!
//! Each clause goes through a table of combinations, as tokio's `task_combinations.rs` does: what a task does, and when. A
//! verdict names the combination.

mod runs;
mod task;

use std::panic::AssertUnwindSafe;

use crate::{
    Answer, Check, Clause, Edition, Level, Runtime, Unsupported, caught,
    clauses::hostile::task::{
        TaskAct::{self, Panics, Spawns, WakesAnother, WakesItself},
        TaskCombination,
        When::{self, AfterAPanic, Finished, FirstPoll, LastPoll, Refused, Shutdown, Unrun},
    },
    fault::Fault,
    fixtures::{assert_nothing_is_left, comes_true},
    rest,
};

const LETS_PANICS_THROUGH: Option<&str> = Some(
    "A runtime may let a panic through to its caller, or end the process when a destructor panics.",
);

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "acts_in_a_poll",
        edition: Edition::E1,
        rule: "A poll may wake its own task and others, and it may spawn, from its own thread or from another thread that the poll waits for.",
        why: "An executor that holds a lock during the poll hangs as soon as the task needs that lock.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            acts_in_a_poll,
            &[
                (Fault::PollsUnderTheLockOfSpawn, "it hangs"),
                (Fault::PollsUnderTheLockOfWake, "it hangs"),
                (
                    Fault::MakesOthersWait,
                    "wakes its own task on another thread",
                ),
                (Fault::PanicsWhenWokenInPoll, "the task is busy"),
                (
                    Fault::ForgetsWhatIsReady,
                    "of 3 futures were not dropped once",
                ),
                (Fault::RefusesWhatIsSpawned, "another task is not done"),
                (
                    Fault::RefusesWhatOthersSpawn,
                    "what was spawned is not done",
                ),
                (Fault::LeavesAnAllocation, "allocations are left"),
                (Fault::LeavesAThread, "threads are left"),
            ],
        ),
    },
    Clause {
        name: "acts_when_dropped",
        edition: Edition::E1,
        rule: "The destructor of a finished future may wake its own task and others, and it may spawn.",
        why: "A channel that is dropped wakes the task at its other side, and a guard may spawn a task that cleans up after it.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            acts_when_dropped,
            &[
                (
                    Fault::DropsUnderItsLock,
                    "it hangs: dropped when it is ready, a future wakes its own",
                ),
                (
                    Fault::MakesOthersWait,
                    "wakes its own task on another thread",
                ),
            ],
        ),
    },
    Clause {
        name: "acts_after_a_panic",
        edition: Edition::E1,
        rule: "The destructor of a future that panicked may wake its own task and others, and it may spawn.",
        why: "After a panic, the executor drops the future in code that rarely runs, so a lock that is held there is easy to overlook.",
        level: Level::Quality,
        choice: LETS_PANICS_THROUGH,
        check: Check::Runtime(
            acts_after_a_panic,
            &[
                (
                    Fault::DropsUnderItsLock,
                    "it hangs: dropped after a panic, a future wakes its own",
                ),
                (Fault::EndsWithAPanic, "another task is not done"),
            ],
        ),
    },
    Clause {
        name: "acts_at_shutdown",
        edition: Edition::E1,
        rule: "A destructor may wake and spawn while the runtime is dropped, and after that. What it spawns is dropped without being polled.",
        why: "Dropping a runtime runs the destructors of all its tasks. A runtime that holds a lock meanwhile hangs, and a runtime that keeps what they spawn leaks it.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Runtime(
            acts_at_shutdown,
            &[
                (
                    Fault::CancelsUnderItsLock,
                    "it hangs: dropped with a runtime that never ran, a future spawns",
                ),
                (
                    Fault::RefusesUnderItsLock,
                    "it hangs: refused since the runtime is gone, a future spawns",
                ),
                (
                    Fault::KeepsWhatIsSpawnedLate,
                    "1 of 2 futures were not dropped once",
                ),
                (Fault::PollsWhatIsSpawnedLate, "what was spawned was polled"),
                (
                    Fault::ForgetsWhatWaits,
                    "of 2 futures were not dropped once",
                ),
            ],
        ),
    },
    Clause {
        name: "panics_at_any_moment",
        edition: Edition::E1,
        rule: "A panic in a poll, or in the destructor of a future that did not panic, harms neither another task nor the runtime.",
        why: "In a server, the runtime outlives every task.",
        level: Level::Quality,
        choice: LETS_PANICS_THROUGH,
        check: Check::Runtime(
            panics_at_any_moment,
            &[
                (
                    Fault::LetsPanicsThrough,
                    "in its first poll, a task panics: this panic belongs to the test",
                ),
                (Fault::EndsWithAPanic, "another task is not done"),
                (
                    Fault::TrustsDestructors,
                    "dropped when it is ready, a future panics",
                ),
                (Fault::TrustsDestructorsAtTheEnd, "a destructor panicked"),
            ],
        ),
    },
];

/// Each act in the first and in the last of two polls.
pub fn acts_in_a_poll(runtime: &'static dyn Runtime) -> Answer {
    try_all(
        runtime,
        &table(&[FirstPoll, LastPoll], &[WakesItself, WakesAnother, Spawns]),
    )
}

/// Each act in the destructor of a future that was ready.
pub fn acts_when_dropped(runtime: &'static dyn Runtime) -> Answer {
    try_all(
        runtime,
        &table(&[Finished], &[WakesItself, WakesAnother, Spawns]),
    )
}

/// Each act in the destructor of a future that panicked.
pub fn acts_after_a_panic(runtime: &'static dyn Runtime) -> Answer {
    if runtime.lets_panics_through() {
        return Err(Unsupported); // and drops all its tasks
    }
    try_all(
        runtime,
        &table(&[AfterAPanic], &[WakesItself, WakesAnother, Spawns]),
    )
}

/// Each act while a runtime is dropped that has run; and a spawn while one is dropped that has not, and after that.
pub fn acts_at_shutdown(runtime: &'static dyn Runtime) -> Answer {
    let mut combinations = table(&[Unrun, Refused], &[Spawns]);
    combinations.extend(table(&[Shutdown], &[WakesItself, WakesAnother, Spawns]));
    try_all(runtime, &combinations)
}

/// A panic at each moment but one: the destructor after a panic. Many runtimes drop a future while its panic unwinds, as
/// the compiler does with the variables of an async block, and there a second panic ends the process.
pub fn panics_at_any_moment(runtime: &'static dyn Runtime) -> Answer {
    if runtime.lets_panics_through() {
        return Err(Unsupported);
    }
    let moments = [FirstPoll, LastPoll, Finished, Unrun, Shutdown, Refused];
    let panics = |when| TaskCombination {
        when,
        act: Panics,
        elsewhere: false,
    };
    try_all(runtime, &moments.map(panics))
}

/// Each act at each moment, here and on another thread.
fn table(moments: &[When], acts: &[TaskAct]) -> Vec<TaskCombination> {
    let mut table = Vec::new();
    for when in moments.iter().copied() {
        for act in acts.iter().copied() {
            table.extend([false, true].map(|elsewhere| TaskCombination {
                when,
                act,
                elsewhere,
            }));
        }
    }
    table
}

/// Tries each once, and then all of them again until that makes 12 runs or more, of which nothing may be left behind.
fn try_all(runtime: &'static dyn Runtime, combinations: &[TaskCombination]) -> Answer {
    let mut tried = Vec::new();
    for does in combinations {
        if let Ok(()) = named(runtime, *does) {
            tried.push(*does);
        }
    }
    if tried.is_empty() {
        return Err(Unsupported);
    }
    let again = tried.repeat(12_usize.div_ceil(tried.len()));
    let threads = probe::threads();
    assert_nothing_is_left(runtime, again.len(), "runs", || {
        again.iter().try_for_each(|does| named(runtime, *does))?;
        let ended = comes_true(|| probe::threads() <= threads);
        let now = probe::threads();
        assert!(ended, "threads are left: {now:?}, and before {threads:?}");
        Ok(())
    })
}

fn named(runtime: &'static dyn Runtime, does: TaskCombination) -> Answer {
    rest::says(&does.to_string());
    let tries = AssertUnwindSafe(|| runs::meet(runtime, does));
    caught(tries).unwrap_or_else(|message| panic!("{does}: {message}"))
}

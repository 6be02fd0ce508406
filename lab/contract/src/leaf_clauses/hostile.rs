//! A waker is code that the future does not control. Here it does, while the future uses it, what code may do.
//!
//! Each clause tries a table of combinations: at which moment in the life of a waker it acts, what it does, and what is
//! being done to the timer then. Where the moment does not come, nothing happens, and the timer must work all the same.

mod combination;

use std::{panic::resume_unwind, thread};

use combination::{Phase, WakerAct, WakerCombination};
use probe::hostile::Moment;

use super::timers::catch_up;
use crate::{
    Answer, Check, Clause, Edition, Leaf, Level, fault::LeafFault, fixtures::comes_true, rest,
};

const WHY: &str = "A waker's clone, wake and drop run code of the executor. If the leaf future holds a lock meanwhile, code that needs the same lock hangs.";

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "hostile_clone",
        edition: Edition::E1,
        rule: "While its waker is cloned, others of its kind can be used, on this thread and on others.",
        why: WHY,
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            hostile_clone,
            &[(
                LeafFault::ClonesUnderItsLock,
                "at the first poll, the waker's clone uses another future here: it hangs",
            )],
        ),
    },
    Clause {
        name: "hostile_wake",
        edition: Edition::E1,
        rule: "While it wakes, others of its kind can be used, and it can be polled and dropped, on this thread and on others.",
        why: WHY,
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            hostile_wake,
            &[(
                LeafFault::WakesUnderItsLock,
                "when it is over, the waker's wake uses another future",
            )],
        ),
    },
    Clause {
        name: "hostile_drop",
        edition: Edition::E1,
        rule: "While a waker that it kept is dropped, others of its kind can be used, on this thread and on others.",
        why: WHY,
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            hostile_drop,
            &[
                (
                    LeafFault::ReplacesUnderItsLock,
                    "at a poll with another waker, the waker's drop uses another future here: it hangs",
                ),
                (
                    LeafFault::RemovesUnderItsLock,
                    "when it is dropped early, the waker's drop uses another future here: it hangs",
                ),
                (LeafFault::StaysWhenDropped, "wakers are left"),
            ],
        ),
    },
    Clause {
        name: "hostile_panic",
        edition: Edition::E1,
        rule: "A waker that panics while it is cloned, woken or dropped harms no other future of its kind.",
        why: "The task that brought the waker may end, but the other tasks on the same driver have done nothing wrong.",
        level: Level::Quality,
        choice: Some("A waker that panics is broken, so a driver may refuse to go on."),
        check: Check::Leaf(
            hostile_panic,
            &[
                (
                    LeafFault::DiesOfAPanic,
                    "the waker's wake panics: a later future hangs",
                ),
                (
                    LeafFault::PanicsBeforeItForgets,
                    "the waker's drop panics: from",
                ),
            ],
        ),
    },
];

const PHASES: [Phase; 5] = [
    Phase::FirstPoll,
    Phase::SecondPoll,
    Phase::Firing,
    Phase::DroppedEarly,
    Phase::DroppedLate,
];

/// A waker's clone, on this thread or on another one that it waits for, uses timers.
pub fn hostile_clone(leaf: &'static dyn Leaf) -> Answer {
    comes_back(leaf, Moment::Clone)
}

/// A waker's wake, on this thread or on another one that it waits for, uses timers, among them the timer that wakes.
pub fn hostile_wake(leaf: &'static dyn Leaf) -> Answer {
    comes_back(leaf, Moment::Wake)
}

/// A waker's drop, on this thread or on another one that it waits for, uses timers.
pub fn hostile_drop(leaf: &'static dyn Leaf) -> Answer {
    comes_back(leaf, Moment::Drop)
}

/// A waker panics as it is cloned, woken or dropped.
pub fn hostile_panic(leaf: &'static dyn Leaf) -> Answer {
    let moments = [Moment::Clone, Moment::Wake, Moment::Drop].into_iter();
    let combinations = moments.flat_map(|moment| {
        PHASES.map(|phase| WakerCombination {
            moment,
            act: WakerAct::Panics,
            on_another_thread: false,
            phase,
        })
    });
    try_all(leaf, combinations)
}

fn comes_back(leaf: &'static dyn Leaf, moment: Moment) -> Answer {
    let acts = [WakerAct::UsesAnother, WakerAct::PollsIt, WakerAct::DropsIt].into_iter();
    let acts = acts.flat_map(|act| [(act, false), (act, true)]);
    // While the thread that it is bound to waits for another, nobody can use it.
    let acts = acts.filter(|(_, on_another_thread)| leaf.home().is_none() || !on_another_thread);
    let combinations = acts.flat_map(|(act, on_another_thread)| {
        PHASES.map(|phase| WakerCombination {
            moment,
            act,
            on_another_thread,
            phase,
        })
    });
    try_all(leaf, combinations)
}

fn try_all(
    leaf: &'static dyn Leaf,
    combinations: impl Iterator<Item = WakerCombination>,
) -> Answer {
    catch_up(leaf)?;
    let mut before = probe::threads();
    for combination in combinations {
        rest::says(&combination.to_string());
        let later = format!("{combination}: a later future hangs");
        let scene = in_time(&format!("{combination}: it hangs"), move || {
            combination.run(leaf)
        })?;
        in_time(&later, move || catch_up(leaf))?;
        let used = scene.end();
        in_time(&later, move || catch_up(leaf))?;
        let gone = comes_true(|| used.iter().all(|waker| waker.live() == 0));
        assert!(gone, "{combination}: wakers are left");
        let gone = comes_true(|| probe::threads() <= before);
        let now = probe::threads();
        assert!(gone, "{combination}: from {before:?} threads to {now:?}");
        // One of those that were counted may have been about to end.
        before = before.min(now);
    }
    Ok(())
}

/// Runs this on another thread. If that hangs, it says what hangs.
fn in_time<T: Send + 'static>(what: &str, run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::spawn(run);
    assert!(comes_true(|| thread.is_finished()), "{what}");
    thread
        .join()
        .unwrap_or_else(|payload| resume_unwind(payload))
}

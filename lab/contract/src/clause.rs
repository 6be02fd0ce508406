//! A clause: a rule, its reason, and the test that catches what breaks it.

use crate::{
    Answer, Leaf, Level, Runtime,
    faulty::{Fault, LeafFault},
};

/// One rule of the contract.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Clause {
    /// What it is called on the command line and in a report.
    pub name: &'static str,
    /// The rule, in one sentence.
    pub rule: &'static str,
    /// What goes wrong where it is not kept.
    pub why: &'static str,
    /// Who demands it.
    pub level: Level,
    /// Its numbers in `catalogue.md`, which was read off the test suites of tokio, async-task, async-executor and futures.
    pub from: &'static [u8],
    /// Why the authors of a runtime may decide not to keep it.
    pub choice: Option<&'static str>,
    /// How it is tested.
    pub check: Check,
}

/// How a clause is tested, and the faults that show that the test can fail: one for each assertion in it, with a part of
/// what is then said, or `it hangs`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Check {
    /// On an executor.
    Runtime(
        fn(&'static dyn Runtime) -> Answer,
        &'static [(Fault, &'static str)],
    ),
    /// On a leaf future.
    Leaf(
        fn(&'static dyn Leaf) -> Answer,
        &'static [(LeafFault, &'static str)],
    ),
}

/// An executor or a leaf future with one fault, which a clause must catch.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FaultySubject {
    /// What the fault is called.
    pub name: String,
    /// The executor or leaf future that has it.
    pub subject: Subject,
    /// A part of what is said when it is caught.
    pub says: &'static str,
}

/// A rule that no run can test, because the one order in which it shows hardly ever comes. A model checker tries them all.
///
/// Its models, one that keeps it and one that does not, are in `tests/loom.rs`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ModelRule {
    /// What its model is called.
    pub name: &'static str,
    /// The rule, in one sentence.
    pub rule: &'static str,
    /// What goes wrong where it is not kept.
    pub why: &'static str,
    /// As in [`Clause::from`].
    pub from: &'static [u8],
}

/// The rules that only a model checker can test.
pub const MODELS: &[ModelRule] = &[
    ModelRule {
        name: "joined_as_it_ends",
        rule: "A handle that is polled exactly when its task ends is ready, or it is woken.",
        why: "The task may end after the handle has checked it and before the handle has left its waker. A stress test may never meet this order; loom does.",
        from: &[18],
    },
    ModelRule {
        name: "a_wake_brings_its_news",
        rule: "A poll sees what was done before the wake, even if the task was queued already.",
        why: "A flag that is cleared by a store rather than a swap does not order the two, so the poll may miss what was done before the last wake.",
        from: &[11],
    },
];

/// What is tested: a runtime or a leaf future, with its name.
#[derive(Clone, Copy)]
pub struct Subject {
    /// What it is called on the command line.
    pub name: &'static str,
    /// Which side of the contract it has to keep, and what is tested.
    pub side: Side,
}

/// The two sides of the contract.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Side {
    /// Something that polls.
    Runtime(&'static dyn Runtime),
    /// Something that is polled.
    Leaf(&'static dyn Leaf),
}

impl Subject {
    /// A runtime under a name.
    pub const fn runtime(name: &'static str, runtime: &'static dyn Runtime) -> Subject {
        let side = Side::Runtime(runtime);
        Subject { name, side }
    }

    /// A leaf future under a name.
    pub const fn leaf(name: &'static str, leaf: &'static dyn Leaf) -> Subject {
        let side = Side::Leaf(leaf);
        Subject { name, side }
    }
}

/// The clauses that are not of the first edition, each with its own.
const LATER: &[(&str, u32)] = &[("leaves_nothing_itself", 2)];

impl Clause {
    /// The edition that it came with. A new clause is always of a new edition.
    pub fn edition(&self) -> u32 {
        let later = LATER.iter().find(|(name, _)| *name == self.name);
        later.map_or(1, |(_, edition)| *edition)
    }

    /// Whether it is about such a subject.
    pub fn is_about(&self, subject: &Subject) -> bool {
        matches!(
            (self.check, subject.side),
            (Check::Runtime(..), Side::Runtime(_)) | (Check::Leaf(..), Side::Leaf(_))
        )
    }

    /// Tests it on this thread. Panics or hangs if it is not kept.
    ///
    /// # Errors
    ///
    /// [`NotItsJob`](crate::NotItsJob) if it is not about such a subject.
    pub fn test(&self, subject: &Subject) -> Answer {
        match (self.check, subject.side) {
            (Check::Runtime(test, _), Side::Runtime(runtime)) => test(runtime),
            (Check::Leaf(test, _), Side::Leaf(leaf)) => test(leaf),
            _ => Err(crate::NotItsJob),
        }
    }

    /// The faulty executors or leaf futures that it must catch.
    pub fn faulty(&self) -> Vec<FaultySubject> {
        match self.check {
            Check::Runtime(_, faults) => {
                let faulty = |(fault, says): &(Fault, &'static str)| FaultySubject {
                    name: format!("{fault:?}"),
                    subject: Subject::runtime("faulty", fault.runtime()),
                    says,
                };
                faults.iter().map(faulty).collect()
            }
            Check::Leaf(_, faults) => {
                let faulty = |(fault, says): &(LeafFault, &'static str)| FaultySubject {
                    name: format!("{fault:?}"),
                    subject: Subject::leaf("faulty", fault.leaf()),
                    says,
                };
                faults.iter().map(faulty).collect()
            }
        }
    }

    /// Executors or leaf futures without a fault, which a clause must let pass: the plain one first, then unusual ones.
    pub fn sound(&self) -> Vec<(String, Subject)> {
        match self.check {
            Check::Runtime(_, faults) => Fault::SOUND
                .iter()
                .filter(|sound| faults.iter().all(|(fault, _)| fault != *sound))
                .map(|it| (format!("{it:?}"), Subject::runtime("sound", it.runtime())))
                .collect(),
            Check::Leaf(..) => LeafFault::SOUND
                .iter()
                .map(|it| (format!("{it:?}"), Subject::leaf("sound", it.leaf())))
                .collect(),
        }
    }
}

impl std::fmt::Debug for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl std::fmt::Debug for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Side::Runtime(_) => "runtime",
            Side::Leaf(_) => "leaf future",
        })
    }
}

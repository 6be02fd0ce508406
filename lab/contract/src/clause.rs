//! A clause: a rule, its reason, and the test that catches what breaks it.

use std::fmt;

use crate::{
    Answer, Edition, Leaf, Level, Runtime, Unsupported, Weight,
    fault::{Fault, LeafFault},
};

/// One rule of the contract.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Clause {
    /// What it is called on the command line and in a report.
    pub name: &'static str,
    /// The edition that it came with. A new clause is always of a new edition.
    pub edition: Edition,
    /// The rule, in one sentence.
    pub rule: &'static str,
    /// What goes wrong where it is not kept.
    pub why: &'static str,
    /// Who demands it.
    pub level: Level,
    /// Why the authors of a runtime may decide not to keep it.
    pub choice: Option<&'static str>,
    /// How it is tested.
    pub check: Check,
}

/// How a clause is tested, and the faults that show that the test can fail: one for each assertion in it, with a part of
/// what is then said, or `it hangs`.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// On an executor.
    Runtime(
        fn(&'static dyn Runtime) -> Answer,
        &'static [(Fault, &'static str)],
    ),
    /// On an executor, while no other clause is tested: the test compares how much of the processor the executor uses, and what else
    /// runs could change its verdict.
    RuntimeAlone(
        fn(&'static dyn Runtime) -> Answer,
        &'static [(Fault, &'static str)],
    ),
    /// On a leaf future.
    Leaf(
        fn(&'static dyn Leaf) -> Answer,
        &'static [(LeafFault, &'static str)],
    ),
}

/// What is tested: a runtime or a leaf future, with its name.
#[derive(Debug, Clone, Copy)]
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

impl Clause {
    /// Whether it is tested while no other clause is: see [`Check::RuntimeAlone`].
    pub fn is_tested_alone(&self) -> bool {
        matches!(self.check, Check::RuntimeAlone(..))
    }

    /// Whether it is about such a subject.
    pub fn is_about(&self, subject: &Subject) -> bool {
        match self.check {
            Check::Runtime(..) | Check::RuntimeAlone(..) => {
                matches!(subject.side, Side::Runtime(_))
            }
            Check::Leaf(..) => matches!(subject.side, Side::Leaf(_)),
        }
    }

    /// From which level on it is asked. Authors who may decide otherwise do, so what they may choose is asked last, whoever demands it.
    pub fn weight(&self) -> Weight {
        match self.choice {
            Some(_) => Weight::Quality,
            None => self.level.weight(),
        }
    }

    /// Tests it on this thread. Panics or hangs if it is not kept.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] if it is not about such a subject.
    pub fn test(&self, subject: &Subject) -> Answer {
        match (self.check, subject.side) {
            (Check::Runtime(test, _) | Check::RuntimeAlone(test, _), Side::Runtime(runtime)) => {
                test(runtime)
            }
            (Check::Leaf(test, _), Side::Leaf(leaf)) => test(leaf),
            _ => Err(Unsupported),
        }
    }

    /// The faults that it must catch, each with a part of what is then said.
    pub fn faults(&self) -> Vec<(String, &'static str)> {
        match self.check {
            Check::Runtime(_, faults) | Check::RuntimeAlone(_, faults) => named(faults),
            Check::Leaf(_, faults) => named(faults),
        }
    }
}

fn named<F: fmt::Debug>(faults: &[(F, &'static str)]) -> Vec<(String, &'static str)> {
    let faults = faults.iter();
    faults
        .map(|(fault, says)| (format!("{fault:?}"), *says))
        .collect()
}

impl fmt::Debug for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_leaf = matches!(self, Side::Leaf(_));
        f.write_str(if is_leaf { "leaf future" } else { "runtime" })
    }
}

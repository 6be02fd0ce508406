//! An executor and a leaf future, each with one fault of your choice: what the clauses must catch.
//!
//! Both are small, and right as [`Fault::None`] and [`LeafFault::None`]. Any other [`Fault`] changes about one line, and the
//! test of its clause must then fail, so there is no clause that nothing can break.

use crate::{runtime, timer};
use runtime_contract::{Check, Clause, Fault, Leaf, LeafFault, Side, Subject};

/// The faulty executors or leaf futures that a clause must catch: what the fault is called, what has it, and a part of what is
/// then said.
pub(super) fn caught_by(clause: &Clause) -> Vec<(String, Subject, &'static str)> {
    match clause.check {
        Check::Runtime(_, faults) | Check::RuntimeAlone(_, faults) => {
            let faulty = |(fault, says): &(Fault, _)| {
                (
                    format!("{fault:?}"),
                    Subject::runtime("faulty", runtime::faulty(*fault)),
                    *says,
                )
            };
            faults.iter().map(faulty).collect()
        }
        Check::Leaf(_, faults) => {
            let faulty = |(fault, says): &(LeafFault, _)| {
                (
                    format!("{fault:?}"),
                    Subject::leaf("faulty", timer::faulty(*fault)),
                    *says,
                )
            };
            faults.iter().map(faulty).collect()
        }
    }
}

/// Executors or leaf futures without a fault, which a clause must let pass: the plain one first, then unusual ones.
pub(super) fn passed_by(clause: &Clause) -> Vec<(String, Subject)> {
    match clause.check {
        Check::Runtime(_, faults) | Check::RuntimeAlone(_, faults) => {
            let is_sound = |sound: &&Fault| faults.iter().all(|(fault, _)| fault != *sound);
            let sound = Fault::SOUND.iter().filter(is_sound);
            sound
                .map(|fault| {
                    (
                        format!("{fault:?}"),
                        Subject::runtime("faulty", runtime::faulty(*fault)),
                    )
                })
                .collect()
        }
        Check::Leaf(..) => {
            let sound = LeafFault::SOUND.iter();
            sound
                .map(|fault| {
                    (
                        format!("{fault:?}"),
                        Subject::leaf("faulty", timer::faulty(*fault)),
                    )
                })
                .collect()
        }
    }
}

/// What a subject is that was made of closures.
pub(super) fn leaf_of(subject: Subject) -> &'static dyn Leaf {
    match subject.side {
        Side::Leaf(leaf) => leaf,
        _ => unreachable!("a leaf future was made"),
    }
}

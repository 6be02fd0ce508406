//! The clauses for leaf futures: those that wait for something outside. Each is tried on a timer.
//!
//! A [`Clause`] says what is demanded, and why. The doc of its function says how it is tested.

use crate::Clause;

pub mod channels;
pub mod cost;
pub mod ends;
pub mod gaps;
pub mod gifts;
pub mod hostile;
pub mod permits;
pub mod threads;
pub mod time;
mod timers;
pub mod waiters;
pub mod wake;
pub mod walks;

/// The clauses for leaf futures, by topic.
pub const TOPICS: &[&[Clause]] = &[
    wake::CLAUSES,
    waiters::CLAUSES,
    gifts::CLAUSES,
    gaps::CLAUSES,
    threads::CLAUSES,
    walks::CLAUSES,
    channels::CLAUSES,
    permits::CLAUSES,
    cost::CLAUSES,
    ends::CLAUSES,
    time::CLAUSES,
    hostile::CLAUSES,
];

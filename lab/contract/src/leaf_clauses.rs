//! The clauses for leaf futures: those that wait for something outside. Each is tried on a timer.
//!
//! What a clause demands, and why, stands in its [`Clause`]. The doc of its function says how it is tested.

use crate::Clause;

pub mod cost;
pub mod ends;
pub mod hostile;
pub mod time;
mod timers;
pub mod wake;

/// The clauses for leaf futures, by topic.
pub const TOPICS: &[&[Clause]] = &[
    wake::CLAUSES,
    cost::CLAUSES,
    ends::CLAUSES,
    time::CLAUSES,
    hostile::CLAUSES,
];

//! The clauses for leaf futures: those that wait for something outside. Each is tried on a timer.
//!
//! What a clause demands, and why, stands in its [`Clause`]. The doc of its function says how it is tested.

use crate::Clause;

pub mod cost;
pub mod ends;
pub mod time;
pub mod wake;

/// The clauses for leaf futures, by topic.
pub const TOPICS: &[&[Clause]] = &[wake::CLAUSES, cost::CLAUSES, ends::CLAUSES, time::CLAUSES];

/// Long enough that nobody lives to see it, and short enough that any clock can show it.
const THIRTY_YEARS: std::time::Duration = std::time::Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// What nearly every test waits for.
const SOON: std::time::Duration = std::time::Duration::from_millis(20);

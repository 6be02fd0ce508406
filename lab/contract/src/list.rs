//! The list of all clauses. It knows every topic, and no clause knows it.

use crate::{Clause, clauses, leaf_clauses};

/// Every clause, in the order of a table: first those for executors, then those for leaf futures.
pub fn all() -> impl Iterator<Item = &'static Clause> {
    let topics = clauses::TOPICS.iter().chain(leaf_clauses::TOPICS);
    topics.copied().flatten()
}

/// The clause of this name.
pub fn clause(name: &str) -> Option<&'static Clause> {
    all().find(|clause| clause.name == name)
}

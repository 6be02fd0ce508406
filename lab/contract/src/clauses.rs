//! The clauses for executors. Each is a function that returns if the clause is kept, and panics or hangs if it is not.
//!
//! A [`Clause`] says what is demanded, and why. The doc of its function says how it is tested.

use crate::Clause;

pub mod abort;
pub mod again;
pub mod crowds;
pub mod deserted;
pub mod drops;
pub mod finish;
pub mod hostile;
pub mod join;
pub mod load;
pub mod nesting;
pub mod panics;
pub mod shutdown;
pub mod spawn;
mod std_says;
pub mod thrift;
pub mod turns;
pub mod wake;
pub mod wake_from_threads;

/// The clauses for executors, by topic.
pub const TOPICS: &[&[Clause]] = &[
    finish::CLAUSES,
    wake::CLAUSES,
    wake_from_threads::CLAUSES,
    thrift::CLAUSES,
    turns::CLAUSES,
    crowds::CLAUSES,
    again::CLAUSES,
    load::CLAUSES,
    drops::CLAUSES,
    shutdown::CLAUSES,
    deserted::CLAUSES,
    panics::CLAUSES,
    hostile::CLAUSES,
    join::CLAUSES,
    nesting::CLAUSES,
    spawn::CLAUSES,
    abort::CLAUSES,
];

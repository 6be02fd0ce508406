//! Which clauses of the contract the executor and its leaf futures keep, and which they do not keep yet.
//!
//! `cargo run -p matrix -- --clause sleeps` prints what the clause `sleeps` demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::{
    Side, Subject,
    suite::{self, Promise},
};

contract::count_allocations!();

/// One thread runs all tasks.
const NOT_ITS_JOB: &[&str] = &["spawned_and_waited_for", "two_at_once"];

fn main() -> ExitCode {
    let promise = |subject: &Subject| match subject.side {
        Side::Runtime(_) => Promise::all(*subject).not_its_job(NOT_ITS_JOB),
        Side::Leaf(_) => Promise::all(*subject),
    };
    let promises: Vec<_> = adapter::SUBJECTS.iter().map(promise).collect();
    suite::main(&promises)
}

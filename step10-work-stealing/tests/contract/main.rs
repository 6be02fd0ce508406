//! Which clauses of the contract the versions keep, and which they do not keep.
//!
//! `cargo run -p matrix -- --clause spawned_and_waited_for` prints what that clause demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::{
    Subject,
    suite::{self, Promise},
};
use step10_work_stealing::Version;

contract::count_allocations!();

/// The version that a runtime has by itself, with more workers than this machine may have cores.
const FOUR_WORKERS: Subject =
    Subject::runtime("step10-four-workers", &adapter::Stage(Version::Budget, 4));

/// What a queue of its own costs a worker's tasks, as long as nobody else may take from it.
const ONE_WORKER_ONLY: &[&str] = &["spawned_and_waited_for"];

fn main() -> ExitCode {
    let subjects = adapter::SUBJECTS.iter().chain([&FOUR_WORKERS]);
    let promises: Vec<_> = subjects
        .map(|subject| match subject.name {
            "step10-local" => Promise::all(*subject).not_yet(ONE_WORKER_ONLY),
            _ => Promise::all(*subject),
        })
        .collect();
    suite::main(&promises)
}

//! Which clauses of the contract the executors keep, and which they do not keep yet.
//!
//! `cargo run -p matrix -- --clause sleeps` says what a clause demands, and why.

mod adapter;
mod local;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

/// There is no handle for a result, `run` ends when all tasks are finished, and it uses one thread.
const NOT_ITS_JOB: &[&str] = &[
    "dropped_at_shutdown",
    "output_is_kept",
    "output_reaches",
    "panic_reaches",
    "spawned_and_waited_for",
    "two_at_once",
];

/// The executor owns the tasks, so it waits for a pending task even if that task has no waker left.
const WAITS: &str = "dropped_by_its_executor";

/// The same, and the spawner of the local executor stays on its thread.
const NOT_ITS_JOB_IF_LOCAL: &[&str] = &[
    "dropped_at_shutdown",
    "output_is_kept",
    "output_reaches",
    "panic_reaches",
    "spawned_and_waited_for",
    "spawned_from_outside",
    "spawned_under_load",
    "two_at_once",
];

fn main() -> ExitCode {
    let [looks, sends, on_arc_wake, on_std_wake] = adapter::SUBJECTS;
    let but = |subject| Promise::all(subject).not_its_job(NOT_ITS_JOB);
    suite::main(&[
        but(looks).not_yet(&[WAITS]),
        but(sends).not_yet(&[
            "a_million_wakes",
            "only_when_woken",
            "only_who_is_woken",
            "sleeps",
            WAITS,
        ]),
        but(on_arc_wake),
        but(on_std_wake),
        Promise::all(local::LOCAL).not_its_job(NOT_ITS_JOB_IF_LOCAL),
    ])
}

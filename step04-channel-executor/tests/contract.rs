//! Which clauses of the contract the three executors keep, and which not yet.
//!
//! `cargo run -p contract -- --clause sleeps` says what a clause demands, and why.

use std::process::ExitCode;

use contract::{
    subjects::step04,
    suite::{self, Promise},
};

/// It has no handle for a result, runs until all is done, and on one thread.
const NOT_ITS_JOB: &[&str] = &[
    "dropped_at_shutdown",
    "output_is_kept",
    "output_reaches",
    "panic_reaches",
    "spawned_and_waited_for",
    "two_at_once",
];

/// The executor owns the tasks, and waits for one that nobody can wake.
const WAITS: &str = "dropped_by_its_executor";

fn main() -> ExitCode {
    let but = |subject| Promise::all(subject).not_its_job(NOT_ITS_JOB);
    suite::main(&[
        but(step04::LOOKS).not_yet(&[WAITS]),
        but(step04::SENDS).not_yet(&[
            "a_million_wakes",
            "only_when_woken",
            "only_who_is_woken",
            "sleeps",
            WAITS,
        ]),
        but(step04::ON_ARC_WAKE),
        but(step04::ON_STD_WAKE),
    ])
}

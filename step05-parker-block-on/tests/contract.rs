//! Which clauses of the contract `block_on` keeps: all that do not speak of a second task.
//!
//! `cargo run -p contract -- --clause nested` says what a clause demands, and why.

use std::process::ExitCode;

use contract::{
    subjects::step05,
    suite::{self, Promise},
};

/// There is one future.
const NOT_ITS_JOB: &[&str] = &[
    "a_panic_is_contained",
    "a_panicking_destructor",
    "dropped_at_shutdown",
    "dropped_unrun",
    "dropped_when_panicked",
    "dropped_when_ready",
    "nothing_to_do",
    "only_who_is_woken",
    "output_is_kept",
    "spawned_from_outside",
    "spawned_inside",
    "takes_turns",
    "ten_thousand",
    "two_at_once",
    "wake_after_ready",
];

fn main() -> ExitCode {
    let but = |subject| Promise::all(subject).not_its_job(NOT_ITS_JOB);
    suite::main(&[but(step05::BY_HAND), but(step05::BY_WAKE)])
}

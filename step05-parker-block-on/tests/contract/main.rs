//! Which clauses of the contract `block_on` keeps: all that are about one future.
//!
//! `cargo run -p matrix -- --clause nested` says what a clause demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

/// There is one future.
const NOT_ITS_JOB: &[&str] = &[
    "a_panic_is_contained",
    "a_panicking_destructor",
    "acts_after_a_panic",
    "acts_at_shutdown",
    "acts_in_a_poll",
    "acts_when_dropped",
    "dropped_at_shutdown",
    "dropped_by_its_executor",
    "dropped_unrun",
    "dropped_when_panicked",
    "dropped_when_ready",
    "last_waker_under_a_lock",
    "nothing_to_do",
    "only_who_is_woken",
    "output_is_kept",
    "panics_at_any_moment",
    "spawned_after_the_end",
    "spawned_and_waited_for",
    "spawned_from_outside",
    "spawned_inside",
    "spawned_under_load",
    "takes_turns",
    "ten_thousand",
    "two_at_once",
    "wake_after_ready",
    "woken_and_then_panics",
    "woken_under_load",
];

fn main() -> ExitCode {
    let [by_hand, by_wake] = adapter::SUBJECTS;
    let but = |subject| Promise::all(subject).not_its_job(NOT_ITS_JOB);
    suite::main(&[but(by_hand), but(by_wake)])
}

//! Which clauses of the contract the three versions keep, and which they do not keep yet.
//!
//! `cargo run -p matrix -- --clause two_at_once` prints what the clause `two_at_once` demands, and why.

mod adapter;
mod leaves;

use std::process::ExitCode;

use contract::{
    Subject,
    suite::{self, Promise},
};

contract::count_allocations!();

/// Version 2 with more workers than this machine may have cores.
const FOUR_WORKERS: Subject = Subject::runtime("step08-four-workers", &adapter::state_bits(4));

fn main() -> ExitCode {
    let [oneshot, state_bits, async_task] = adapter::SUBJECTS;
    suite::main(&[
        Promise::all(oneshot),
        Promise::all(state_bits),
        Promise::all(FOUR_WORKERS).not_in_the_matrix(),
        Promise::all(async_task),
        Promise::all(Subject::leaf("step08-handle", &leaves::Handle)).not_in_the_matrix(),
        Promise::all(Subject::leaf("step08-permit", &leaves::Permit)).not_in_the_matrix(),
        Promise::all(Subject::leaf("step08-value", &leaves::Value)).not_in_the_matrix(),
    ])
}

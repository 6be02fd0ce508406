//! Which clauses of the contract the three versions keep, and which they do not keep yet.
//!
//! `cargo run -p matrix -- --clause two_at_once` prints what the clause `two_at_once` demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

fn main() -> ExitCode {
    let [oneshot, state_bits, four_workers, async_task] = adapter::SUBJECTS;
    suite::main(&[
        Promise::all(oneshot),
        Promise::all(state_bits),
        Promise::all(four_workers),
        Promise::all(async_task),
    ])
}

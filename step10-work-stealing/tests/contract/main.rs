//! Which clauses of the contract the versions keep, and which they do not keep.
//!
//! `cargo run -p matrix -- --clause spawned_and_waited_for` prints what that clause demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

fn main() -> ExitCode {
    let promises: Vec<_> = adapter::SUBJECTS
        .iter()
        .map(|it| Promise::all(*it))
        .collect();
    suite::main(&promises)
}

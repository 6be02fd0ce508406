//! Which clauses of the contract `block_on` keeps: all that are about one future.
//!
//! `cargo run -p matrix -- --clause nested` says what a clause demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

fn main() -> ExitCode {
    let [by_hand, by_wake] = adapter::SUBJECTS;
    suite::main(&[Promise::all(by_hand), Promise::all(by_wake)])
}

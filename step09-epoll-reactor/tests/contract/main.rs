//! The contract of an executor and of its leaf futures: they keep every clause that is about what they offer.
//!
//! `cargo run -p matrix -- --clause sleeps` prints what the clause `sleeps` demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

fn main() -> ExitCode {
    let promises = adapter::SUBJECTS
        .iter()
        .map(|subject| Promise::all(*subject));
    suite::main(&promises.collect::<Vec<_>>())
}

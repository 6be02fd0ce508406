//! The contract of an executor and of its leaf futures: they keep all of it that is about what they offer.
//!
//! `cargo run -p matrix -- --clause sleeps` prints what the clause `sleeps` demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

fn main() -> ExitCode {
    suite::main(
        &adapter::SUBJECTS
            .iter()
            .copied()
            .map(Promise::all)
            .collect::<Vec<_>>(),
    )
}

//! The contract of a leaf future: the timer keeps all of it.
//!
//! `cargo run -p matrix` shows the results as a table.

mod adapter;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

fn main() -> ExitCode {
    let [timer] = adapter::SUBJECTS;
    suite::main(&[Promise::all(timer)])
}

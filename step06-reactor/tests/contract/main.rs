//! The contract of a leaf future: the timer keeps all of it, on both reactors.
//!
//! `cargo run -p matrix` shows the results as a table.

mod adapter;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

fn main() -> ExitCode {
    let [on_a_thread_each, on_one_thread] = adapter::SUBJECTS;
    suite::main(&[Promise::all(on_a_thread_each), Promise::all(on_one_thread)])
}

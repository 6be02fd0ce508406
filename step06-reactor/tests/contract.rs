//! The contract of a leaf future: the timer keeps all of it, on both reactors.
//!
//! `cargo run -p contract -- --runtime step06-timer` shows it as a table.

use std::process::ExitCode;

use contract::{
    subjects::step06,
    suite::{self, Promise},
};

fn main() -> ExitCode {
    suite::main(&[
        Promise::all(step06::ON_A_THREAD_EACH),
        Promise::all(step06::ON_ONE_THREAD),
    ])
}

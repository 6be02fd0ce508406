//! The contract of a leaf future: the timer keeps all of it.
//!
//! `cargo run -p contract -- --runtime step03-timer` shows it as a table.

use std::process::ExitCode;

use contract::{
    subjects::step03,
    suite::{self, Promise},
};

fn main() -> ExitCode {
    suite::main(&[Promise::all(step03::TIMER)])
}

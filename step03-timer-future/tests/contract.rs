//! The contract of a leaf future: the timer keeps all of it.
//!
//! `cargo run -p contract -- --runtime step03-timer` shows it as a table.

use std::process::ExitCode;

use contract::{
    subjects::step03,
    suite::{self, Promise},
};

/// Each timer has a thread of its own, which ends with it.
const NOT_ITS_JOB: &[&str] = &["driver_gone"];

fn main() -> ExitCode {
    suite::main(&[Promise::all(step03::TIMER).not_its_job(NOT_ITS_JOB)])
}

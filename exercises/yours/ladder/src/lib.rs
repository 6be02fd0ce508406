//! The ladder: how far your runtime has come, and what the next rung asks.
//!
//! To read on: [`rungs`] is what each rung asks, [`checks`] are the counted checks, [`adapter`] is how the contract sees your runtime.
//! [`job`] runs one of them in a process of its own, [`climb`] runs all, and [`screen`] shows what came of it.

#![allow(
    clippy::drop_non_drop,
    reason = "a learner's handle may have no destructor, or may have one"
)]

mod adapter;
mod checks;
mod climb;
mod job;
mod referee;
mod rungs;
mod screen;

use std::{
    env, fs,
    io::{self, Write},
    process::ExitCode,
};

use contract::suite::{self, Promise};

use crate::{climb::climb, rungs::RUNGS};

pub use checks::http::serve;

contract::count_allocations!();

const USAGE: &str = "usage: cargo run [-- --json | --json FILE]";

/// `cargo run`: climbs as far as it goes, and shows what is next. With `--json`, the result for a program, on standard output or in
/// a file.
pub fn main() -> ExitCode {
    job::serve();
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        [] => {
            let screen = screen::show(&climb(RUNGS.len()));
            // A reader like `head` may have gone.
            let _ = write!(io::stdout(), "{screen}");
            return ExitCode::SUCCESS;
        }
        ["--json"] => {
            let json = climb(RUNGS.len()).json();
            writeln!(io::stdout(), "{json}")
        }
        ["--json", file] => fs::write(file, climb(RUNGS.len()).json()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the result can't be written: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `cargo test`: tests the rungs that the learner's file promises.
pub fn test() -> ExitCode {
    job::serve();
    if env::args().any(|argument| argument == "--list") {
        println!("reached: test");
        return ExitCode::SUCCESS;
    }
    #[allow(
        clippy::unnecessary_min_or_max,
        reason = "the learner's number may be anything"
    )]
    let reached = yours::REACHED.min(RUNGS.len());
    let seen = climb(reached);
    let _ = write!(io::stdout(), "{}", screen::show_test(&seen));
    ExitCode::from(u8::from(seen.passed < reached))
}

/// All clauses about one subject, with the options of the contract's own test programs.
pub fn contract() -> ExitCode {
    let name = env::var("SUBJECT").unwrap_or_else(|_| "workers".to_owned());
    let Some(subject) = adapter::subject(&name) else {
        let names = adapter::SUBJECTS.map(|subject| subject.name).join(", ");
        eprintln!("SUBJECT={name}: there is no such subject. There are {names}");
        return ExitCode::from(2);
    };
    suite::main(&[Promise::all(subject)])
}

//! The ladder: how far your runtime has come, and what the next rung asks.
//!
//! To read on: [`rungs`] is what each rung asks, [`checks`] are the counted checks, [`adapter`] is how the contract sees your runtime.
//! [`job`] runs one of them in a process of its own, [`climb`] runs all, [`result`] is what comes of that, and [`screen`] shows it.

#![allow(
    clippy::drop_non_drop,
    reason = "a learner's handle may have no destructor, or may have one"
)]

mod adapter;
mod checks;
mod climb;
mod job;
mod referee;
mod result;
mod rungs;
mod screen;

use std::{
    collections::HashSet,
    env, fs,
    io::{self, Write},
    process::ExitCode,
};

use contract::suite::{self, Promise};

use crate::{climb::climb, job::Job, result::Climb, rungs::RUNGS};

pub use checks::http::serve;

contract::count_allocations!();

const USAGE: &str = "usage: cargo run [-- TEST | RUNG | --json | --json FILE]";

/// `cargo run`: climbs as far as it goes, and shows what is next. With `--json`, the result for a program, on standard output or in
/// a file. With the name of a test, runs only that. With the number of a rung, lists its tests.
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
            writeln!(io::stdout(), "{}", json(&climb(RUNGS.len())))
        }
        [name] if !name.starts_with('-') => return ask(name),
        ["--json", file] => fs::write(file, json(&climb(RUNGS.len()))),
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

fn json(climb: &Climb) -> String {
    serde_json::to_string_pretty(climb).expect("it has nothing that JSON lacks")
}

/// Runs one test at each rung that has it, until it isn't kept.
fn ask(name: &str) -> ExitCode {
    if let Some(number) = name
        .parse()
        .ok()
        .filter(|it| (1..=RUNGS.len()).contains(it))
    {
        let rung = &RUNGS[number - 1];
        let jobs = climb::jobs(rung);
        let mut names: Vec<_> = jobs.iter().map(Job::name).collect();
        // A clause may be asked about two subjects.
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(*name));
        let _ = write!(io::stdout(), "{}", screen::show_rung(number, rung, &names));
        return ExitCode::from(2);
    }
    let mut came = Vec::new();
    for (number, rung) in RUNGS.iter().enumerate() {
        let mut jobs = climb::jobs(rung).into_iter();
        if let Some(job) = jobs.find(|job| job.name() == name) {
            let result = job.run();
            let is_broken = result.is_err();
            came.push((number + 1, result));
            if is_broken {
                break;
            }
        }
    }
    if came.is_empty() {
        eprintln!("{name}: no rung asks that. {USAGE}");
        return ExitCode::from(2);
    }
    let _ = write!(io::stdout(), "{}", screen::show_question(name, &came));
    ExitCode::SUCCESS
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

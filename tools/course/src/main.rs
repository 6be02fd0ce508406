//! Says what the course lacks and where it disagrees with itself, and writes what can be derived.

use std::{
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

use clap::Parser;
use course::{Project, complaints, derived, errors};

/// Is the course whole, and does it agree with itself? Without an option, prints what is wrong
#[derive(Debug, Parser)]
struct Options {
    /// Write what is derived: README's table, aliases, SUMMARY, tables of exercises, minutes, whole stages
    #[arg(long)]
    write: bool,
    /// Write the compiler's messages that the book shows, by the rustc that is installed
    #[arg(long, conflicts_with = "write")]
    errors: bool,
}

fn main() -> ExitCode {
    let options = Options::try_parse().unwrap_or_else(|error| match error.use_stderr() {
        true => refuse(error.to_string().trim_start_matches("error: ")),
        false => error.exit(),
    });
    match run(&options) {
        Ok(code) => code,
        // The reader of the output has what it wants.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("course: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Says in one line what is wrong with the arguments.
fn refuse(why: &str) -> ! {
    eprintln!("course: {}", why.lines().next().unwrap_or_default());
    std::process::exit(2)
}

fn run(options: &Options) -> io::Result<ExitCode> {
    let project = Project::read(&kit::files::root())?;
    let found = match options {
        Options { errors: true, .. } => errors::complaints(&project, true)?,
        Options { write: true, .. } => derived::stale(&project, true),
        _ => complaints(&project),
    };
    let mut out = io::stdout().lock();
    for complaint in &found {
        writeln!(out, "{complaint}")?;
    }
    Ok(match found.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

//! Says what the course lacks and where it disagrees with itself, and writes what can be derived.

use std::{io, process::ExitCode};

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
    match run(&Options::parse()) {
        Ok(found) => {
            let lines: String = found.iter().map(|it| format!("{it}\n")).collect();
            kit::output::print(&lines);
            ExitCode::from(u8::from(!found.is_empty()))
        }
        Err(error) => {
            eprintln!("course: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> io::Result<Vec<String>> {
    let project = Project::read(&kit::files::root())?;
    match options {
        Options { errors: true, .. } => errors::complaints(&project, true),
        Options { write: true, .. } => Ok(derived::stale(&project, true)),
        _ => Ok(complaints(&project)),
    }
}

//! Says what the course lacks and where it disagrees with itself, and with `--write` writes what can be derived.

use std::{env, io, process::ExitCode};

use course::{Project, complaints, derived};

fn main() -> io::Result<ExitCode> {
    let project = Project::read()?;
    let found = if env::args().any(|it| it == "--write") {
        derived::stale(&project, true)
    } else {
        complaints(&project)
    };
    found.iter().for_each(|it| println!("{it}"));
    Ok(ExitCode::from(u8::from(!found.is_empty())))
}

//! Says what the course lacks and where it disagrees with itself, and with `--write` writes what can be derived.

use std::{env, io, process::ExitCode};

use course::{Project, complaints, derived};

fn main() -> io::Result<ExitCode> {
    let project = Project::read()?;
    let found = match env::args().nth(1).as_deref() {
        None => complaints(&project),
        Some("--write") => derived::stale(&project, true),
        Some(other) => {
            eprintln!("course: unexpected argument {other:?}: it knows --write alone");
            return Ok(ExitCode::from(2));
        }
    };
    found.iter().for_each(|it| println!("{it}"));
    Ok(ExitCode::from(u8::from(!found.is_empty())))
}

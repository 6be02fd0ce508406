//! Says what the course lacks and where it disagrees with itself, and with `--write` writes what can be derived.

use std::{env, io, process::ExitCode};

use course::{Project, complaints, derived};

fn main() -> io::Result<ExitCode> {
    let project = Project::read(&kit::files::root())?;
    let arguments: Vec<String> = env::args().skip(1).collect();
    let found = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => complaints(&project),
        ["--write"] => derived::stale(&project, true),
        _ => vec!["usage: course [--write]".to_owned()],
    };
    found.iter().for_each(|it| println!("{it}"));
    Ok(ExitCode::from(u8::from(!found.is_empty())))
}

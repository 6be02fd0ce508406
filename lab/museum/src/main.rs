//! Shows the museum: `cargo run -p museum -- stale-waker`.

use std::{
    env,
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

use clap::Parser;
use museum::{
    ALL, page,
    visit::{self, Visit},
};

/// Mistakes of published code, each beside a fixed version. Without arguments: the list
#[derive(Debug, Parser)]
struct Options {
    /// The exhibit to show
    name: Option<String>,
    /// Run every exhibit, and write what a visitor sees to `lab/museum/seen`
    #[arg(long, conflicts_with = "name")]
    write: bool,
}

fn main() -> ExitCode {
    if let Some(code) = visit::inside() {
        return code;
    }
    let options = Options::try_parse().unwrap_or_else(|error| match error.use_stderr() {
        true => refuse(error.to_string().trim_start_matches("error: ")),
        false => error.exit(),
    });
    let done = match (&options.name, options.write) {
        (Some(name), _) => show(name),
        (None, true) => write(),
        (None, false) => list().map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The reader of the output has what it wants.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("museum: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Says in one line what is wrong with the arguments.
fn refuse(why: &str) -> ! {
    eprintln!("museum: {}", why.lines().next().unwrap_or_default());
    std::process::exit(2)
}

/// By chapter: the name, and what is wrong.
fn list() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut chapter = 0;
    for exhibit in ALL {
        if exhibit.chapter != chapter {
            chapter = exhibit.chapter;
            writeln!(out, "chapter {chapter:02}")?;
        }
        writeln!(out, "  {:<30}{}", exhibit.name, exhibit.title)?;
    }
    writeln!(out, "\nOne of them: cargo run -p museum -- NAME")
}

fn show(name: &str) -> io::Result<bool> {
    let Some(exhibit) = museum::exhibit(name) else {
        refuse(&format!(
            "there is no exhibit {name:?} on this system; without a name, it lists all"
        ));
    };
    if visit::needs_miri(exhibit) {
        eprintln!("museum: if Miri has to build this program first, that takes a minute");
    }
    let Some(visit) = Visit::new(exhibit, &env::current_exe()?) else {
        writeln!(io::stdout(), "{name}: {}", visit::NO_MIRI)?;
        return Ok(true);
    };
    let page = page::page(exhibit, &visit);
    // The first line is the command, which the visitor has just typed.
    let (_, page) = page.split_once('\n').unwrap_or_default();
    io::stdout().write_all(page.as_bytes())?;
    Ok(visit.is_as_expected(exhibit))
}

fn write() -> io::Result<bool> {
    if !cfg!(target_os = "linux") {
        return Err(io::Error::other("only on Linux can all exhibits be run"));
    }
    let mut all = true;
    for exhibit in ALL {
        let Some(visit) = Visit::new(exhibit, &env::current_exe()?) else {
            writeln!(io::stdout(), "{}: {}", exhibit.name, visit::NO_MIRI)?;
            continue;
        };
        page::check(exhibit, &visit, true).map_err(io::Error::other)?;
        if !visit.is_as_expected(exhibit) {
            writeln!(io::stdout(), "{}: not as expected", exhibit.name)?;
            all = false;
        }
    }
    Ok(all)
}

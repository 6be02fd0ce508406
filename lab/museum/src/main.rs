//! Shows the museum: `cargo run -p museum -- stale-waker`.

use std::{env, io, process::ExitCode};

use clap::{Parser, builder::PossibleValuesParser};
use kit::output;
use museum::{
    ALL, page,
    visit::{self, Visit},
};

/// Mistakes of published code, each beside a fixed version. Without arguments: the list
#[derive(Debug, Parser)]
struct Options {
    /// The exhibit to show
    #[arg(hide_possible_values = true, value_parser = PossibleValuesParser::new(ALL.iter().map(|it| it.name)))]
    name: Option<String>,
    /// Run every exhibit, and write what a visitor sees to `lab/museum/seen`
    #[arg(long, conflicts_with = "name")]
    write: bool,
}

fn main() -> ExitCode {
    if let Some(code) = visit::inside() {
        return code;
    }
    let options = Options::parse();
    let done = match (&options.name, options.write) {
        (Some(name), _) => show(name),
        (None, true) => write(),
        (None, false) => Ok(list()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("museum: {error}");
            ExitCode::FAILURE
        }
    }
}

/// By chapter: the name, and what is wrong.
fn list() -> bool {
    let (mut out, mut chapter) = (String::new(), 0);
    for exhibit in ALL {
        if exhibit.chapter != chapter {
            chapter = exhibit.chapter;
            out += &format!("chapter {chapter:02}\n");
        }
        out += &format!("  {:<30}{}\n", exhibit.name, exhibit.title);
    }
    output::print(&(out + "\nOne of them: cargo run -p museum -- NAME\n"));
    true
}

fn show(name: &str) -> io::Result<bool> {
    let exhibit = museum::exhibit(name).expect("one of the possible values");
    if visit::needs_miri(exhibit) {
        eprintln!("museum: if Miri has to build this program first, that takes a minute");
    }
    let Some(visit) = Visit::new(exhibit, &env::current_exe()?) else {
        println!("{name}: {}", visit::NO_MIRI);
        return Ok(true);
    };
    let page = page::page(exhibit, &visit);
    // The first line is the command, which the visitor has just typed.
    let (_, page) = page.split_once('\n').unwrap_or_default();
    output::print(page);
    Ok(visit.is_as_expected(exhibit))
}

fn write() -> io::Result<bool> {
    if !cfg!(target_os = "linux") {
        return Err(io::Error::other("only on Linux can all exhibits be run"));
    }
    let mut all = true;
    for exhibit in ALL {
        let Some(visit) = Visit::new(exhibit, &env::current_exe()?) else {
            println!("{}: {}", exhibit.name, visit::NO_MIRI);
            continue;
        };
        page::check(exhibit, &visit, true).map_err(io::Error::other)?;
        if !visit.is_as_expected(exhibit) {
            println!("{}: not as expected", exhibit.name);
            all = false;
        }
    }
    Ok(all)
}

//! Shows the museum: `cargo run -p museum -- stale-waker`.

use std::{env, io, process::ExitCode};

use clap::Parser;
use kit::{files, written};
use museum::{
    Exhibit, list, page,
    visit::{self, Visit},
};

/// Published mistakes, each beside its repaired twin. Without arguments: the list.
#[derive(Debug, Parser)]
struct Options {
    /// The exhibit to show.
    name: Option<String>,
    /// Run every exhibit, print what was declared and what was seen, and compare that with `lab/museum/seen`.
    #[arg(long, conflicts_with = "name")]
    all: bool,
    /// Run every exhibit, and write what the visitor sees to `lab/museum/seen`, and the list to `lab/museum/LIST.md`.
    #[arg(long, conflicts_with_all = ["name", "all"])]
    write: bool,
}

fn main() -> ExitCode {
    if let Some(code) = visit::inside() {
        return code;
    }
    let options = Options::parse();
    let shown = if let Some(name) = &options.name {
        show(name)
    } else if options.all {
        all()
    } else if options.write {
        write()
    } else {
        print!("{}", list::list());
        return ExitCode::SUCCESS;
    };
    shown.unwrap_or_else(|error| {
        eprintln!("museum: {error}");
        ExitCode::FAILURE
    })
}

fn show(name: &str) -> io::Result<ExitCode> {
    let Some(exhibit) = museum::exhibit(name) else {
        if museum::elsewhere().any(|other| other == *name) {
            println!("{name}: {}", visit::NO_LINUX);
            return Ok(ExitCode::SUCCESS);
        }
        let advice = match list::nearest(name).join(", ") {
            none if none.is_empty() => "without a name, it lists all".to_owned(),
            nearest => format!("the nearest names are: {nearest}"),
        };
        eprintln!("museum: there is no exhibit {name:?}; {advice}");
        return Ok(ExitCode::from(2));
    };
    if exhibit.needs_miri() && visit::has_miri() {
        eprintln!("museum: if Miri has to build this program first, that takes a minute");
    }
    let visit = Visit::new(exhibit, &env::current_exe()?);
    print!("{}", page::page(exhibit, visit.as_ref()));
    Ok(status(&[(exhibit, visit)]))
}

fn all() -> io::Result<ExitCode> {
    let visits = list::visit_all(&env::current_exe()?);
    print!("{}", list::table(&visits));
    let missed = visits.iter().filter(|(_, visit)| visit.is_none()).count();
    for name in museum::elsewhere() {
        println!("{name}: {}", visit::NO_LINUX);
    }
    let elsewhere = museum::elsewhere().count();
    println!(
        "{} exhibits, {} skipped",
        visits.len() + elsewhere,
        missed + elsewhere
    );
    let seen = visits
        .iter()
        .filter_map(|(exhibit, visit)| Some((exhibit, visit.as_ref()?)));
    let stale: Vec<String> = seen
        .filter_map(|(exhibit, visit)| page::compare(exhibit, visit).err())
        .collect();
    stale.iter().for_each(|it| eprintln!("museum: {it}"));
    Ok(match stale.is_empty() {
        true => status(&visits),
        false => ExitCode::FAILURE,
    })
}

fn write() -> io::Result<ExitCode> {
    if museum::elsewhere().next().is_some() {
        return Err(io::Error::other("only on Linux can all exhibits be run"));
    }
    let visits = list::visit_all(&env::current_exe()?);
    for (exhibit, visit) in &visits {
        if visit.is_none() {
            println!("{}: {}", exhibit.name, visit::NO_MIRI);
            continue;
        }
        let text = page::transcript(exhibit, visit.as_ref());
        written::check(&exhibit.seen_file(), &text, true, list::HOW).map_err(io::Error::other)?;
    }
    let list = files::root().join("lab/museum/LIST.md");
    written::check(&list, &list::markdown(), true, list::HOW).map_err(io::Error::other)?;
    Ok(status(&visits))
}

/// What was skipped is no failure.
fn status(visits: &[(&'static Exhibit, Option<Visit>)]) -> ExitCode {
    let mut differing = visits
        .iter()
        .filter(|(exhibit, visit)| {
            visit
                .as_ref()
                .is_some_and(|visit| !visit.as_declared(exhibit))
        })
        .peekable();
    let code = if differing.peek().is_some() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    };
    for (exhibit, _) in differing {
        eprintln!("museum: {} is not as declared", exhibit.name);
    }
    code
}

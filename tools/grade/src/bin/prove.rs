//! Proves the set of exercises.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use grade::{Error, Exercise, Set, own_set, package::BuildFolder, prove};

/// Proves the set of exercises: each starter fails as promised, each solution passes, each wrong answer is told what
/// the teacher's pages say.
#[derive(Debug, Parser)]
struct Options {
    /// The exercises to prove. None: all of them.
    names: Vec<String>,
    /// Look only at what needs no building: heads, feet, files, and whether each wrong answer still fits.
    #[arg(long)]
    no_run: bool,
    /// The set. Otherwise that beside this program's source.
    #[arg(long, value_name = "DIR")]
    set: Option<PathBuf>,
    /// Where to build. Otherwise `target/grade` of the course.
    #[arg(long, value_name = "DIR")]
    build_in: Option<PathBuf>,
}

fn main() -> ExitCode {
    grade::main("prove", prove)
}

fn prove(options: Options) -> Result<ExitCode, Error> {
    let set = Set::open(&options.set.unwrap_or_else(own_set))?;
    let chosen = set.only(&options.names.join(","))?;
    let chosen: Vec<&Exercise> = chosen.iter().collect();
    let mut findings = prove::files(&set, &chosen);
    if options.names.is_empty() {
        findings.extend(prove::strays(&set));
    }
    if !options.no_run {
        let folder = BuildFolder::enter(options.build_in, 60)?;
        findings.extend(prove::runs(&set, &chosen, &folder)?);
    }
    for finding in &findings {
        eprintln!("{finding}");
    }
    Ok(ExitCode::from(u8::from(!findings.is_empty())))
}

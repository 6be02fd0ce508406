//! Proves the set of exercises.

use std::{env, path::PathBuf, process::ExitCode};

use clap::Parser;
use grade::{
    Error, Exercise, Set, compiler, options, own_set,
    package::BuildFolder,
    prove::{self, Proof},
};

/// Proves the set of exercises: each starter fails as promised, each solution passes, each wrong answer is told what
/// the teacher's page says.
#[derive(Debug, Parser)]
struct Options {
    /// The exercises to prove. None: all of them.
    names: Vec<String>,
    /// Look only at what needs no building: names, order, files, hints, minutes.
    #[arg(long)]
    no_run: bool,
    /// Write the pages that are made from the catalogue and from the runs.
    #[arg(long, conflicts_with = "names")]
    write: bool,
    /// The set. Otherwise that beside this program's source.
    #[arg(long, value_name = "DIR")]
    set: Option<PathBuf>,
    /// Where to build. Otherwise `grade` in the course's target folder.
    #[arg(long, value_name = "DIR")]
    build_in: Option<PathBuf>,
}

fn main() -> ExitCode {
    if let Some(limit) = compiler::asked() {
        return compiler::run(env::args_os().skip(1), limit);
    }
    match options().and_then(prove) {
        Ok(findings) => {
            for finding in &findings {
                eprintln!("{finding}");
            }
            ExitCode::from(u8::from(!findings.is_empty()))
        }
        Err(error) => {
            eprintln!("prove: {error}");
            error.status()
        }
    }
}

fn prove(options: Options) -> Result<Vec<String>, Error> {
    let set = Set::open(&options.set.unwrap_or_else(own_set))?;
    let unknown = |name: &&String| set.exercises.iter().all(|exercise| exercise.name != **name);
    if let Some(name) = options.names.iter().find(unknown) {
        let text = format!("there is no exercise `{name}`; class/catalogue.toml has all names");
        return Err(Error::Usage(text));
    }
    let is_all = options.names.is_empty();
    let chosen = set.exercises.iter();
    let chosen = chosen.filter(|exercise| is_all || options.names.contains(&exercise.name));
    let chosen: Vec<&Exercise> = chosen.collect();

    let mut findings = Vec::new();
    if is_all {
        findings.extend(prove::of_set(&set));
    }
    for exercise in &chosen {
        findings.extend(prove::of_exercise(&set, exercise));
    }
    let mut proof = None;
    if !options.no_run {
        let folder = BuildFolder::enter(options.build_in, compiler::USUAL_LIMIT)?;
        let mut seen = Proof::of(&set, &chosen, &folder)?;
        print!("{}", seen.table());
        findings.append(&mut seen.findings);
        findings.extend(prove::style(&set, &chosen, &folder, &seen)?);
        proof = Some(seen);
    }
    if options.write {
        let seen = proof.filter(|_| findings.is_empty());
        findings.extend(prove::write_pages(&set, seen.as_ref()));
    } else if is_all {
        findings.extend(prove::check_pages(&set));
    }
    Ok(findings)
}

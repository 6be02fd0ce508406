//! Proves the set of exercises.

use std::{fs, path::PathBuf, process::ExitCode};

use clap::Parser;
use grade::{
    Exercise, Set, Trouble, compiler, options, own_set,
    prove::{self, Finding, Proof},
    scratch::Place,
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
        return compiler::run(std::env::args_os().skip(1), limit);
    }
    match options().and_then(run) {
        Ok(findings) => {
            for finding in &findings {
                eprintln!("{finding}");
            }
            ExitCode::from(u8::from(!findings.is_empty()))
        }
        Err(trouble) => {
            eprintln!("prove: {trouble}");
            trouble.status()
        }
    }
}

fn run(options: Options) -> Result<Vec<Finding>, Trouble> {
    let set = Set::open(&options.set.unwrap_or_else(own_set))?;
    let unknown = |name: &&String| set.exercises.iter().all(|exercise| exercise.name != **name);
    if let Some(name) = options.names.iter().find(unknown) {
        let text = format!("there is no exercise `{name}`; class/catalogue.toml has all names");
        return Err(Trouble::Usage(text));
    }
    let is_all = options.names.is_empty();
    let chosen = set.exercises.iter();
    let chosen = chosen.filter(|exercise| is_all || options.names.contains(&exercise.name));
    let chosen: Vec<&Exercise> = chosen.collect();

    let mut findings = if is_all {
        prove::of_set(&set)
    } else {
        Vec::new()
    };
    findings.extend(
        chosen
            .iter()
            .flat_map(|exercise| prove::of_exercise(&set, exercise)),
    );
    let mut proof = None;
    if !options.no_run {
        let mut place = Place::new(options.build_in)?;
        let place = place.enter()?;
        let mut seen = prove::prove(&set, &chosen, &place)?;
        print!("{}", seen.table());
        findings.append(&mut seen.findings);
        findings.extend(prove::style(&set, &chosen, &place)?);
        proof = Some(seen);
    }
    if options.write {
        findings.extend(write(&set, proof.as_ref(), findings.is_empty())?);
    } else if is_all {
        let pages = prove::pages(&set, proof.as_ref());
        findings.extend(prove::stale(&set, &pages));
    }
    Ok(findings)
}

/// Writes the pages. What screens show is only written once all of it has been seen.
fn write(set: &Set, proof: Option<&Proof>, is_proved: bool) -> Result<Option<Finding>, Trouble> {
    let (now, later): (Vec<_>, Vec<_>) = prove::pages(set, proof)
        .into_iter()
        .partition(|page| is_proved && proof.is_some() || prove::written_without_a_run(page));
    for page in now {
        let file = set.folder.join(&page.file);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, page.text)?;
    }
    Ok(later.first().map(prove::not_written))
}

//! The set of exercises, proved: its files fit together, and every claim of its catalogue is seen in a run.

use std::{collections::BTreeSet, fs, io, process::Command, time::Duration};

use kit::{
    files,
    process::{self, End, Limits},
};
use rayon::prelude::*;

use crate::{
    Error, Exercise, Set,
    package::{Build, BuildFolder, Package, Program},
    reason,
    wrong::shows,
};

/// Whatever is red must be red by then, on a crowded machine too.
const LIMIT: Duration = Duration::from_secs(20);

/// What is wrong with the files of these exercises, as far as it can be seen without a run. Each is a line: where, what,
/// and what to do.
pub fn files(set: &Set, exercises: &[&Exercise]) -> Vec<String> {
    let mut findings = Vec::new();
    for exercise in exercises {
        let Exercise { name, head, .. } = exercise;
        let starter = format!("exercises/{}", exercise.file);
        for file in [starter, format!("solutions/{}", exercise.file)] {
            let has_foot = set
                .read(&file)
                .is_ok_and(|text| text.ends_with(&exercise.foot()));
            if !has_foot {
                let foot = exercise.foot().replace('\n', " ");
                findings.push(format!(
                    "{file}: end it with `{}`, in three lines",
                    foot.trim()
                ));
            }
        }
        if exercise.wrong.len() < 2 {
            let page = format!("class/wrong-answers/{:02}.md", head.stage);
            findings.push(format!(
                "{page}: {name} has less than two wrong answers: add some"
            ));
        }
        findings.extend(programs(set, exercise).err());
    }
    findings
}

/// The files that no exercise refers to.
pub fn strays(set: &Set) -> Vec<String> {
    let known = set.exercises.iter().flat_map(|exercise| {
        let Exercise { name, file, .. } = exercise;
        let both = ["exercises", "solutions"].map(|folder| format!("{folder}/{file}"));
        let beside = ["checks", "given"].map(|folder| format!("{folder}/{name}.rs"));
        both.into_iter().chain(beside)
    });
    let known: BTreeSet<_> = known.collect();
    let folders = ["exercises", "solutions", "checks", "given"];
    let there = folders.map(|folder| files::below(&set.folder.join(folder)).unwrap_or_default());
    let there = there.concat();
    let there = there.iter().map(|file| files::shown(&set.folder, file));
    let strays = there.filter(|file| !known.contains(file));
    strays
        .map(|file| format!("{file}: name it in class/catalogue.toml, or delete it"))
        .collect()
}

/// The starter, the solution and the wrong answers of an exercise, each with what its screen must show unless it must pass.
/// Or why they cannot be put together.
fn programs<'a>(
    set: &Set,
    exercise: &'a Exercise,
) -> Result<Vec<(Option<&'a str>, Program)>, String> {
    let Exercise { name, file, .. } = exercise;
    let read = |folder: &str| {
        let text = set.read(&format!("{folder}/{file}"));
        text.map_err(|error| error.to_string())
    };
    let (starter, solution) = (read("exercises")?, read("solutions")?);
    let mut parts = Vec::new();
    for (n, wrong) in (1..).zip(&exercise.wrong) {
        let from = match wrong.from_the_starter {
            true => &starter,
            false => &solution,
        };
        let text = wrong.applied(from).map_err(|line| {
            format!("{name}, wrong answer {n}: `{line}` is not where it was: change its ```diff")
        })?;
        parts.push((format!("wrong-{n}"), Some(&*wrong.screen), text));
    }
    parts.push(("starter".to_owned(), Some(&exercise.red), starter));
    parts.push(("solution".to_owned(), None, solution));
    let programs = parts.into_iter().map(|(folder, shows, text)| {
        let (name, file) = (format!("{name}--{folder}"), format!("{folder}/{file}"));
        (shows, Program { name, file, text })
    });
    Ok(programs.collect())
}

/// What became of a program: how it ended, if it was compiled, and what a learner saw.
struct Seen {
    end: Option<End>,
    screen: String,
}

/// Builds and runs every program of these exercises. Returns what is not as the catalogue and the pages say.
///
/// # Errors
///
/// If they cannot be built or run at all.
pub fn runs<'a>(
    set: &Set,
    exercises: &[&'a Exercise],
    folder: &BuildFolder,
) -> Result<Vec<String>, Error> {
    let programs_of = |exercise: &&'a Exercise| programs(set, exercise).unwrap_or_default();
    let all: Vec<_> = exercises.iter().flat_map(programs_of).collect();
    if all.is_empty() {
        // Cargo builds no package without a program.
        return Ok(Vec::new());
    }
    let programs: Vec<_> = all.iter().map(|(.., program)| program.clone()).collect();
    let package = folder.package("proved", set, &programs)?;
    let built = package.build()?;
    let prove = |(must_show, program): &(Option<&str>, Program)| {
        let seen = run(&package, program, built.get(&program.name))?;
        let finding = judge(&program.name, *must_show, &seen);
        // A new wrong answer's `text` can be copied from there.
        let file = package.root.join(&program.file).with_extension("screen");
        fs::write(&file, &seen.screen)?;
        let finding = finding.map(|finding| format!("{finding} (see {})", file.display()));
        io::Result::Ok(finding)
    };
    // Most of them wait most of the time.
    let threads = 2 * rayon::current_num_threads();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(io::Error::other)?;
    let seen = pool.install(|| {
        all.par_iter()
            .with_max_len(1)
            .map(prove)
            .collect::<io::Result<Vec<_>>>()
    })?;
    Ok(seen.into_iter().flatten().collect())
}

fn run(package: &Package, program: &Program, built: Option<&Build>) -> io::Result<Seen> {
    let file = match built {
        Some(Build::Executable(file)) => file,
        other => {
            let screen = match other {
                Some(Build::Failed { screen, .. }) => screen.clone(),
                _ => "the compiler broke off".into(),
            };
            return Ok(Seen { end: None, screen });
        }
    };
    let mut command = Command::new(file);
    command
        .current_dir(&package.root)
        // As exercises/.cargo/config.toml sets them.
        .env("RUST_BACKTRACE", "0")
        .env("RUST_TEST_THREADS", "2");
    let outcome = process::run(&mut command, Limits::time(LIMIT))?;
    // As a learner sees it, who has only one program of this name.
    let crate_name = program.name.replace('-', "_");
    let name = crate_name.split("__").next().unwrap_or_default();
    let screen = format!("{}\n{}", outcome.stdout, outcome.stderr).replace(&crate_name, name);
    Ok(Seen {
        end: Some(outcome.end),
        screen,
    })
}

fn judge(program: &str, must_show: Option<&str>, seen: &Seen) -> Option<String> {
    let screen = &seen.screen;
    let why = || {
        let first = screen.lines().find(|line| !line.trim().is_empty());
        reason::of(screen, first.unwrap_or("it failed without a word"))
    };
    let passed = seen.end.is_some_and(|end| end.is_success());
    let says = |text: &str| {
        let text = text.trim();
        let first = text.lines().next().unwrap_or_default();
        (!shows(screen, text)).then(|| format!("does not show `{first}`, but: {}", why()))
    };
    let what = match (seen.end, must_show) {
        (Some(End::TimedOut), _) => {
            format!("had not ended after {LIMIT:?}: what can hang belongs under `probe::within`")
        }
        (Some(End::Flooded), _) => "printed more than 1 MiB".to_owned(),
        (_, None) if !passed => format!("does not pass: {}", why()),
        (_, None) if !screen.contains("test result: ok.") => "runs no test".to_owned(),
        (_, None) => return None,
        _ if passed => "passes".to_owned(),
        (_, Some(text)) => says(text)?,
    };
    let (exercise, folder) = program.split_once("--")?;
    let name = match folder.strip_prefix("wrong-") {
        Some(n) => format!("wrong answer {n}"),
        None => format!("the {folder}"),
    };
    Some(format!("{exercise}: {name} {what}"))
}

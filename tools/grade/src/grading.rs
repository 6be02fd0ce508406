//! A learner's folder, graded.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    Exercise, Set, Trouble,
    entry::{Entry, entry, has_some},
    nextest::{self, Ran},
    scratch::{Built, Package, Place, Program},
};

/// The module of the course's tests.
const TESTS: &str = "tests::";
/// What the compiler says if a learner's `mod tests` was not found.
const TWICE: &str = "the name `tests` is defined multiple times";
const CHANGED: &str = "the line `mod tests {` was changed: write it as it was";

/// Which tests judge the learner's part of a file.
#[derive(Clone, Debug)]
pub enum Tests {
    /// Those of the set, whatever became of them in the learner's copy.
    Visible,
    /// Those in this folder. Where it has none for an exercise, those of the set.
    HeldOut(PathBuf),
    /// Those of the learner.
    AsWritten,
}

/// What became of an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All its tests passed.
    Solved,
    /// A test failed, or did not run.
    Failed,
    /// There was nothing to run.
    DoesNotCompile,
    /// A test was stopped at the time limit.
    TimedOut,
    /// The learner's folder has no such file.
    Missing,
    /// A test was stopped since it printed too much.
    PrintedTooMuch,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Solved => "solved",
            Verdict::Failed => "failed",
            Verdict::DoesNotCompile => "does not compile",
            Verdict::TimedOut => "timed out",
            Verdict::Missing => "missing",
            Verdict::PrintedTooMuch => "printed too much",
        })
    }
}

/// One exercise, graded.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which one.
    pub exercise: Exercise,
    /// What became of it.
    pub verdict: Verdict,
    /// How long its tests ran, one after the other.
    pub time: Duration,
    /// Why it is not solved, in a line.
    pub why: String,
    /// What there is to read: the compiler's errors.
    pub(crate) screen: String,
    pub(crate) tests: Vec<Ran>,
}

impl Row {
    /// What it counts: all or nothing.
    pub fn points(&self) -> u32 {
        match self.verdict {
            Verdict::Solved => self.exercise.points,
            _ => 0,
        }
    }
}

/// Grades the copy of the set in `folder`, in which nothing is written.
///
/// # Errors
///
/// If the folder is no copy of the set, or if there is nothing to grade it with.
pub fn grade(
    set: &Set,
    folder: &Path,
    tests: &Tests,
    place: &mut Place,
) -> Result<Vec<Row>, Trouble> {
    has_some(set, folder)?;
    let entries = set
        .exercises
        .iter()
        .map(|exercise| entry(set, folder, tests, exercise))
        .collect::<Result<Vec<_>, _>>()?;
    let programs: Vec<_> = entries
        .iter()
        .filter_map(|entry| {
            let name = &entry.exercise.name;
            Some(Program {
                name: name.clone(),
                file: set.exercise(name),
                text: entry.text.clone()?,
            })
        })
        .collect();
    let entered = place.enter()?;
    let package = entered.package("graded", set, &programs)?;
    nextest::is_there(&package)?;
    let built = if programs.is_empty() {
        BTreeMap::new()
    } else {
        package.build()?
    };
    let ran = run(&package, &built)?;
    let rows = entries.into_iter().map(|entry| row(entry, &built, &ran));
    Ok(rows.collect())
}

fn run(package: &Package, built: &BTreeMap<String, Built>) -> Result<Vec<Ran>, Trouble> {
    let programs = built
        .iter()
        .filter(|(_, built)| matches!(built, Built::Program(_)));
    let programs: Vec<_> = programs.map(|(name, _)| name.as_str()).collect();
    nextest::run(package, &programs)
}

fn row(entry: Entry, built: &BTreeMap<String, Built>, ran: &[Ran]) -> Row {
    let name = &entry.exercise.name;
    // What tests a learner has above those of the course is the learner's own affair.
    let judges = |ran: &&Ran| entry.tests.is_none() || ran.name().starts_with(TESTS);
    let tests = ran.iter().filter(|ran| ran.program == *name);
    let tests: Vec<_> = tests.filter(judges).cloned().collect();
    let mut screen = String::new();
    let (verdict, why) = match built.get(name) {
        _ if entry.text.is_none() => (Verdict::Missing, "there is no such file".into()),
        None => (Verdict::DoesNotCompile, "the compiler broke off".into()),
        Some(Built::Failed { first, screen: all }) => {
            screen.clone_from(all);
            let why = if first.contains(TWICE) {
                CHANGED
            } else {
                first
            };
            (Verdict::DoesNotCompile, why.to_owned())
        }
        Some(Built::Program(_)) => judge(&tests, entry.tests.as_deref()),
    };
    Row {
        exercise: entry.exercise,
        verdict,
        time: tests.iter().map(Ran::seconds).sum(),
        why,
        screen,
        tests,
    }
}

fn judge(ran: &[Ran], must_run: Option<&[String]>) -> (Verdict, String) {
    let named = must_run.unwrap_or_default().iter();
    let has_run = |name: &str| {
        ran.iter()
            .any(|ran| ran.name().strip_prefix(TESTS) == Some(name))
    };
    let mut left_out = named.filter(|name| !has_run(name));
    if let Some(ran) = ran.iter().find(|ran| ran.timed_out()) {
        (Verdict::TimedOut, ran.why())
    } else if let Some(ran) = ran.iter().find(|ran| ran.flooded()) {
        (Verdict::PrintedTooMuch, ran.why())
    } else if let Some(ran) = ran.iter().find(|ran| !ran.passed()) {
        (Verdict::Failed, ran.why())
    } else if let Some(name) = left_out.next() {
        (Verdict::Failed, format!("{name} did not run"))
    } else if ran.is_empty() {
        (Verdict::Failed, "there is no test".into())
    } else {
        (Verdict::Solved, String::new())
    }
}

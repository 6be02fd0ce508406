//! What a learner has written, graded.

use std::{collections::BTreeMap, time::Duration};

use crate::{
    Error, Exercise, Set,
    package::{Build, BuildFolder, Program},
    run::{self, Mark, Ran},
    submission::Submission,
};

/// The module of the course's tests.
const TESTS: &str = "tests::";
/// What the compiler says if a learner's `mod tests` was not found.
const TWICE: &str = "the name `tests` is defined multiple times";
const CHANGED: &str = "the line `mod tests {` was changed: write it as it was";

/// One exercise, graded.
#[derive(Clone, Debug)]
pub struct Graded {
    /// Which one.
    pub exercise: Exercise,
    /// What became of it.
    pub mark: Mark,
    /// Why it is not solved, in a line.
    pub why: String,
    /// The compiler's errors.
    pub screen: String,
    /// The tests that judge it.
    pub tests: Vec<Ran>,
    /// Whether these are the visible ones since there are no held-out ones.
    pub fell_back: bool,
}

impl Graded {
    /// What it counts: all or nothing.
    pub fn points(&self) -> u32 {
        match self.mark {
            Mark::Solved => self.exercise.points,
            _ => 0,
        }
    }

    /// How long its tests ran, one after the other.
    pub fn time(&self) -> Duration {
        self.tests.iter().map(|ran| ran.outcome.time).sum()
    }
}

/// Grades what a learner has written.
///
/// # Errors
///
/// If nothing can be built or run.
pub fn grade(
    set: &Set,
    submissions: Vec<Submission>,
    folder: &BuildFolder,
) -> Result<Vec<Graded>, Error> {
    let programs = submissions.iter().filter_map(|submission| {
        let name = &submission.exercise.name;
        Some(Program {
            name: name.clone(),
            file: set.exercise(name),
            text: submission.text.clone().ok()?,
        })
    });
    let package = folder.package("graded", set, &programs.collect::<Vec<_>>())?;
    let built = package.build()?;
    let programs = built.iter().filter_map(|(name, built)| match built {
        Build::Executable(file) => Some((name.clone(), file.clone())),
        Build::Failed { .. } => None,
    });
    let ran = run::run(&package.root, &programs.collect::<Vec<_>>())?;
    let rows = submissions.into_iter();
    Ok(rows.map(|written| graded(written, &built, &ran)).collect())
}

fn graded(written: Submission, built: &BTreeMap<String, Build>, ran: &[Ran]) -> Graded {
    let Submission {
        exercise,
        text,
        must_run,
        fell_back,
    } = written;
    // What tests a learner has above those of the course is the learner's own affair.
    let judges = |ran: &&Ran| {
        ran.program == exercise.name && (must_run.is_none() || ran.name.starts_with(TESTS))
    };
    let tests: Vec<_> = ran.iter().filter(judges).cloned().collect();
    let mut screen = String::new();
    let (mark, why) = match (text, built.get(&exercise.name)) {
        (Err(why), _) => (Mark::Missing, why),
        (Ok(_), None) => (Mark::DoesNotCompile, "the compiler broke off".into()),
        (Ok(_), Some(Build::Failed { first, screen: all })) => {
            screen.clone_from(all);
            let was_changed = first.contains(TWICE);
            let why = if was_changed { CHANGED } else { first };
            (Mark::DoesNotCompile, why.to_owned())
        }
        (Ok(_), Some(Build::Executable(_))) => judge(&tests, &must_run.unwrap_or_default()),
    };
    Graded {
        exercise,
        mark,
        why,
        screen,
        tests,
        fell_back,
    }
}

fn judge(ran: &[Ran], must_run: &[String]) -> (Mark, String) {
    for mark in [Mark::TimedOut, Mark::PrintedTooMuch, Mark::Failed] {
        if let Some(ran) = ran.iter().find(|ran| ran.mark == mark) {
            return (mark, ran.why.clone());
        }
    }
    let has_run = |name: &String| ran.iter().any(|ran| ran.name == format!("{TESTS}{name}"));
    if let Some(name) = must_run.iter().find(|name| !has_run(name)) {
        (Mark::Failed, format!("{name} did not run"))
    } else if ran.is_empty() {
        (Mark::Failed, "there is no test".into())
    } else {
        (Mark::Solved, String::new())
    }
}

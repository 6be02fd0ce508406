//! What a learner has written, graded by the checks of the course.

use std::{collections::BTreeMap, fs, io, path::Path, time::Duration};

use crate::{
    Error, Exercise, Set,
    package::{Build, BuildFolder, Program},
    run::{self, Mark, Ran},
};

/// The module of the course's checks, which must pass, and beside it a test of the grader's own.
const JUDGES: [&str; 2] = ["tests::", "canary::"];
/// Ends the learner's part. An attribute that is left over there, which would be that of the checks, is that of this.
const END: &str = "const _: () = ();\n";
/// Checks by what a learner has redefined would be worth nothing.
const CANARY: &str = r#"
#[cfg(test)]
mod canary {
    use super::*;

    #[test]
    fn an_assertion_can_fail() {
        let hook = ::std::panic::take_hook();
        ::std::panic::set_hook(::std::boxed::Box::new(|_| {}));
        let fails: [fn(); 4] = [
            || { assert!(false); },
            || { assert_eq!(0, 1); },
            || { assert_ne!(0, 0); },
            || { if true { panic!() } },
        ];
        let passes = fails.iter().any(|fails| ::std::panic::catch_unwind(fails).is_ok());
        ::std::panic::set_hook(hook);
        if passes {
            ::std::panic!("what the checks assert with is redefined");
        }
    }
}
"#;
/// What the compiler says if a learner's `mod tests` was not found.
const TWICE: &str = "the name `tests` is defined multiple times";
const CHANGED: &str = "its last three lines were changed: write them as they were";

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

/// Looks whether a folder is a learner's copy of the set.
///
/// # Errors
///
/// If it holds none of the exercises: it is not to be taken for that of a learner who has written nothing.
pub fn check(set: &Set, folder: &Path) -> Result<(), Error> {
    let has_some = |folder: &Path| {
        let mut files = set.exercises.iter().map(|exercise| &exercise.file);
        files.any(|file| folder.join("exercises").join(file).is_file())
    };
    if has_some(folder) {
        return Ok(());
    }
    let at = folder.display();
    if !folder.is_dir() {
        return Err(Error::Usage(format!("there is no folder {at}")));
    }
    let below = folder.join("exercises");
    let near = [Some(&*below), folder.parent()].into_iter().flatten();
    let meant = near
        .filter(|folder| folder.as_os_str() != "")
        .find(|folder| has_some(folder))
        .map(|folder| format!("; did you mean {}?", folder.display()));
    let text = format!("{at} holds none of the exercises");
    Err(Error::Usage(text + &meant.unwrap_or_default()))
}

/// The learner's file with the course's checks in place of the learner's, or why there is none.
fn written(folder: &Path, exercise: &Exercise) -> Result<String, String> {
    // A file that is not UTF-8 does not compile: the compiler says so, at the replacement.
    match fs::read(folder.join("exercises").join(&exercise.file)) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n") + "\n";
            let foot = exercise.foot();
            Ok(text.replacen(&foot, END, 1) + END + &foot + CANARY)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err("there is no such file".to_owned())
        }
        Err(error) => Err(format!("it cannot be read: {error}")),
    }
}

/// Grades what a learner has written.
///
/// # Errors
///
/// If nothing can be built or run.
pub fn grade(set: &Set, learner: &Path, folder: &BuildFolder) -> Result<Vec<Graded>, Error> {
    let exercises = set.exercises.iter();
    let texts: Vec<_> = exercises
        .map(|exercise| (exercise, written(learner, exercise)))
        .collect();
    let programs = texts.iter().filter_map(|(exercise, text)| {
        Some(Program {
            name: exercise.name.clone(),
            file: format!("exercises/{}", exercise.file),
            text: text.clone().ok()?,
        })
    });
    let package = folder.package("graded", set, &programs.collect::<Vec<_>>())?;
    let built = package.build()?;
    let programs = built.iter().filter_map(|(name, built)| match built {
        Build::Executable(file) => Some((name.clone(), file.clone())),
        Build::Failed { .. } => None,
    });
    let ran = run::run(&package.root, &programs.collect::<Vec<_>>())?;
    let rows = texts.into_iter();
    Ok(rows
        .map(|(exercise, text)| graded(exercise, text.err(), &built, &ran))
        .collect())
}

fn graded(
    exercise: &Exercise,
    missing: Option<String>,
    built: &BTreeMap<String, Build>,
    ran: &[Ran],
) -> Graded {
    // What tests a learner has beside those of the course is the learner's own affair.
    let judges = |ran: &&Ran| {
        ran.program == exercise.name && JUDGES.iter().any(|module| ran.name.starts_with(module))
    };
    let tests: Vec<_> = ran.iter().filter(judges).cloned().collect();
    let mut screen = String::new();
    let (mark, why) = match (missing, built.get(&exercise.name)) {
        (Some(why), _) => (Mark::Missing, why),
        (None, None) => (Mark::DoesNotCompile, "the compiler broke off".into()),
        (None, Some(Build::Failed { first, screen: all })) => {
            screen.clone_from(all);
            let was_changed = first.contains(TWICE);
            let why = if was_changed { CHANGED } else { first };
            (Mark::DoesNotCompile, why.to_owned())
        }
        (None, Some(Build::Executable(_))) => judge(&tests),
    };
    Graded {
        exercise: exercise.clone(),
        mark,
        why,
        screen,
        tests,
    }
}

fn judge(ran: &[Ran]) -> (Mark, String) {
    for mark in [Mark::TimedOut, Mark::PrintedTooMuch, Mark::Failed] {
        if let Some(ran) = ran.iter().find(|ran| ran.mark == mark) {
            return (mark, ran.why.clone());
        }
    }
    let has_run = |module: &&str| ran.iter().any(|ran| ran.name.starts_with(*module));
    if JUDGES.iter().all(has_run) {
        (Mark::Solved, String::new())
    } else {
        (Mark::Failed, "the checks did not run".into())
    }
}

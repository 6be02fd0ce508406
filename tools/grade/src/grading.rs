//! What learners have written, graded by the checks of the course.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use kit::files;

use crate::{
    Error, Exercise, Set, Wrong,
    package::{Build, BuildFolder, Program},
    run::{self, Mark, Ran},
    wrong::shows,
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
        let fails: [fn(); 5] = [
            || { assert!(false); },
            || { assert!(matches!(0, 1)); },
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

/// A learner.
#[derive(Clone, Debug)]
pub struct Learner {
    /// That of the folder.
    pub name: String,
    /// The copy of `exercises/`.
    pub folder: PathBuf,
}

/// One exercise of a learner, graded.
#[derive(Clone, Debug)]
pub struct Graded {
    /// Which one.
    pub exercise: Exercise,
    /// What became of it.
    pub mark: Mark,
    /// Why it is not solved, in a line.
    pub why: String,
    /// What the compiler said, or the test that failed.
    pub screen: String,
    /// How long its tests ran, one after the other.
    pub time: Duration,
}

impl Graded {
    /// What it counts: all or nothing.
    pub fn points(&self) -> u32 {
        match self.mark {
            Mark::Solved => self.exercise.points,
            _ => 0,
        }
    }

    /// The one wrong answer of the teacher's pages that fails like this.
    pub fn known(&self) -> Option<&Wrong> {
        let is_it = |wrong: &&Wrong| shows(&self.screen, &wrong.screen);
        let mut known = self.exercise.wrong.iter().filter(is_it);
        known.next().filter(|_| known.next().is_none())
    }
}

/// The learner of a copy of `exercises/`, or of the folder around it or in it; otherwise all whose folders are in this one.
///
/// # Errors
///
/// If none of them holds an exercise: it is not to be taken for that of a learner who has written nothing.
pub fn learners(set: &Set, folder: &Path) -> Result<Vec<Learner>, Error> {
    let has_some = |folder: &Path| {
        let mut files = set.exercises.iter().map(|exercise| &exercise.file);
        files.any(|file| folder.join("exercises").join(file).is_file())
    };
    let learner = |folder: &Path| {
        let mut names = folder.iter().rev().filter(|name| *name != "exercises");
        let around = folder.parent().filter(|_| folder.ends_with("exercises"));
        let near = [
            Some(folder.to_owned()),
            Some(folder.join("exercises")),
            around.map(Path::to_owned),
        ];
        let found = near.into_iter().flatten().find(|folder| has_some(folder));
        Learner {
            name: names
                .next()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            folder: found.unwrap_or_else(|| folder.to_owned()),
        }
    };
    let at = folder.display();
    if !folder.is_dir() {
        return Err(Error::Usage(format!("there is no folder {at}")));
    }
    let folder = std::path::absolute(folder)?;
    let one = learner(&folder);
    if has_some(&one.folder) {
        return Ok(vec![one]);
    }
    let entries = fs::read_dir(&folder)?.flatten().map(|entry| entry.path());
    let mut folders: Vec<_> = entries.filter(|it| it.is_dir()).collect();
    folders.sort();
    let all: Vec<_> = folders.iter().map(|folder| learner(folder)).collect();
    match all.iter().any(|learner| has_some(&learner.folder)) {
        true => Ok(all),
        false => Err(Error::Usage(format!("{at} holds none of the exercises"))),
    }
}

/// The learner's file with the course's checks in place of the learner's, or why there is nothing to grade.
fn written(set: &Set, learner: &Learner, exercise: &Exercise) -> Result<String, (Mark, String)> {
    let missing = |why: String| Err((Mark::Missing, why));
    let bytes = match fs::read(learner.folder.join("exercises").join(&exercise.file)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let near = near(learner, exercise).map(|file| format!(", but {file}: is it that?"));
            return missing("there is no such file".to_owned() + &near.unwrap_or_default());
        }
        Err(error) => return missing(format!("it cannot be read: {error}")),
    };
    // A file that is not UTF-8 does not compile: the compiler says so, at the replacement.
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n") + "\n";
    let foot = exercise.foot();
    let part = |text: &str| {
        text.split(&foot)
            .next()
            .map(|part| part.trim_end().to_owned())
    };
    let starter = set.read(&format!("exercises/{}", exercise.file));
    if starter.is_ok_and(|starter| part(&starter) == part(&text)) {
        return Err((Mark::NotStarted, String::new()));
    }
    Ok(text.replacen(&foot, END, 1) + END + &foot + CANARY)
}

/// A file that begins like that of the exercise: a second download, or one that was put elsewhere.
fn near(learner: &Learner, exercise: &Exercise) -> Option<String> {
    let files = files::below(&learner.folder).unwrap_or_default();
    let files = files.iter().map(|file| files::shown(&learner.folder, file));
    let mut files = files.filter(|file| {
        !["checks/", "given/", "solutions/"]
            .iter()
            .any(|it| file.starts_with(it))
    });
    files.find(|file| {
        file.rsplit('/')
            .next()
            .is_some_and(|name| name.starts_with(&exercise.name[..4]))
    })
}

/// Grades what these learners have written: everything is built at once, and then run learner by learner.
///
/// # Errors
///
/// If nothing can be built or run.
pub fn grade(
    set: &Set,
    learners: &[Learner],
    folder: &BuildFolder,
) -> Result<Vec<Vec<Graded>>, Error> {
    let (mut programs, mut all) = (Vec::new(), Vec::new());
    for (n, learner) in (1..).zip(learners) {
        let row = set.exercises.iter().map(|exercise| {
            let program = written(set, learner, exercise).map(|text| Program {
                name: format!("{}--{n}", exercise.name),
                file: format!("learner-{n}/{}", exercise.file),
                text,
            });
            (exercise, program)
        });
        let row: Vec<_> = row.collect();
        programs.extend(row.iter().filter_map(|(_, program)| program.clone().ok()));
        all.push(row);
    }
    let package = folder.package("graded", set, &programs)?;
    let built = match programs.is_empty() {
        true => BTreeMap::new(),
        false => package.build()?,
    };
    let mut graded = Vec::new();
    for (n, row) in (1..).zip(all) {
        let executables = row.iter().filter_map(|(_, program)| {
            let name = &program.as_ref().ok()?.name;
            match built.get(name)? {
                Build::Executable(file) => Some((name.clone(), file.clone())),
                Build::Failed { .. } => None,
            }
        });
        let executables: Vec<_> = executables.collect();
        // What a test writes there is not in the folder of another learner.
        let here = package.root.join(format!("learner-{n}"));
        fs::create_dir_all(&here).map_err(Error::at(&here))?;
        let ran = run::run(&here, &executables)?;
        let one = |(exercise, program): (&Exercise, Result<Program, _>)| {
            let (mark, why, screen) = match &program {
                Ok(program) => judge(&program.name, built.get(&program.name), &ran),
                Err((mark, why)) => (*mark, String::clone(why), String::new()),
            };
            let own = |ran: &&Ran| program.as_ref().is_ok_and(|it| it.name == ran.program);
            // As the learner sees it, who has one program of this name.
            let crate_name = format!("{}__{n}", exercise.name);
            let folder = format!("learner-{n}/");
            let chapter = exercise.file.split('/').next().unwrap_or_default();
            let screen = screen
                .replace(&crate_name, &exercise.name)
                .replace(&format!("{folder}{chapter}/../../"), "")
                .replace(&folder, "exercises/");
            Graded {
                exercise: exercise.clone(),
                mark,
                why,
                screen,
                time: ran.iter().filter(own).map(|ran| ran.outcome.time).sum(),
            }
        };
        graded.push(row.into_iter().map(one).collect());
    }
    Ok(graded)
}

/// The mark on a program, the line that says why, and what the compiler or the tests that failed have said.
fn judge(program: &str, built: Option<&Build>, ran: &[Ran]) -> (Mark, String, String) {
    match built {
        None => {
            return (
                Mark::DoesNotCompile,
                "the compiler was stopped".into(),
                String::new(),
            );
        }
        Some(Build::Failed { first, screen }) => {
            let why = if first.contains(TWICE) {
                CHANGED
            } else {
                first
            };
            return (Mark::DoesNotCompile, why.to_owned(), screen.clone());
        }
        Some(Build::Executable(_)) => {}
    }
    // What tests a learner has beside those of the course is the learner's own affair.
    let is_judge = |ran: &&Ran| {
        ran.program == program && JUDGES.iter().any(|module| ran.name.starts_with(module))
    };
    let ran: Vec<_> = ran.iter().filter(is_judge).collect();
    let failed = ran.iter().filter(|ran| ran.mark != Mark::Solved);
    let screen = failed
        .map(|ran| format!("{}\n{}", ran.name, ran.outcome.stderr))
        .collect();
    for mark in [Mark::TimedOut, Mark::PrintedTooMuch, Mark::Failed] {
        if let Some(ran) = ran.iter().find(|ran| ran.mark == mark) {
            return (mark, ran.why.clone(), screen);
        }
    }
    let has_run = |module: &&str| ran.iter().any(|ran| ran.name.starts_with(*module));
    match JUDGES.iter().all(has_run) {
        true => (Mark::Solved, String::new(), screen),
        false => (Mark::Failed, "the checks did not run".into(), screen),
    }
}

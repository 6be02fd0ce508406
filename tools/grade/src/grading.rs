//! What learners have written, graded by the checks of the course.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use course::Exercise;

use crate::package::{Package, Program};
use crate::run::{self, Mark, Ran};
use crate::{Error, Set, set::foot};

/// A test of a learner's may run so long.
const LIMIT: Duration = Duration::from_secs(4);
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
            || assert!(false), || assert!(matches!(0, 1)), || assert_eq!(0, 1), || assert_ne!(0, 0), || panic!(),
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

/// An answer to an exercise, and what became of it.
#[derive(Clone, Debug)]
pub struct Graded {
    /// Which exercise.
    pub exercise: Exercise,
    /// What became of it.
    pub mark: Mark,
    /// Why it is not solved, in a line.
    pub why: String,
    /// What the compiler said, or the tests that failed.
    pub screen: String,
    /// How long its tests ran, one after the other.
    pub time: Duration,
}

impl Graded {
    /// What it counts: all or nothing.
    pub fn points(&self) -> u32 {
        u32::from(self.mark == Mark::Solved) * self.exercise.points
    }
}

/// The learner whose copy of `exercises/` this folder is or holds; otherwise all whose folders are in this one. Returns
/// their names and their copies.
///
/// That none of them holds an exercise is an error: it is not to be taken for a learner who has written nothing.
pub fn learners(set: &Set, folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let has_some = |folder: &Path| {
        let mut files = set.exercises.iter().map(Exercise::file);
        files.any(|file| folder.join("exercises").join(file).is_file())
    };
    let learner = |folder: &Path| {
        let inner = folder.join("exercises");
        let copy = if has_some(&inner) { &inner } else { folder };
        let name = folder.iter().rfind(|name| *name != "exercises");
        let name = name.unwrap_or_default().to_string_lossy();
        (name.into_owned(), copy.to_owned())
    };
    let folder = std::path::absolute(folder)?;
    let mut all = vec![learner(&folder)];
    if !has_some(&all[0].1) {
        let failed = |error| format!("{}: {error}", folder.display());
        let entries = fs::read_dir(&folder).map_err(failed)?.flatten();
        let folders = entries.map(|it| it.path()).filter(|it| it.is_dir());
        all = folders.map(|it| learner(&it)).collect();
        all.sort();
    }
    if !all.iter().any(|(_, copy)| has_some(copy)) {
        return Err(format!("{} holds none of the exercises", folder.display()).into());
    }
    Ok(all)
}

/// What a learner's file holds, or why there is nothing to grade.
fn written(set: &Set, copy: &Path, exercise: &Exercise) -> Result<String, (Mark, String)> {
    let file = format!("exercises/{}", exercise.file());
    let bytes = fs::read(copy.join(&file)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => (Mark::Missing, "there is no such file".to_owned()),
        _ => (Mark::Missing, format!("it cannot be read: {error}")),
    })?;
    // A file that is not UTF-8 does not compile: the compiler says so, at the replacement.
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n") + "\n";
    let starter = set.read(&file).unwrap_or_default();
    let foot = foot(exercise);
    let [own, given] = [&text, &starter].map(|it| it.split(&foot).next().map(str::trim_end));
    let answer = (own != given).then_some(text);
    answer.ok_or((Mark::NotStarted, String::new()))
}

/// Grades what these learners have written, learner by learner.
pub fn grade(
    set: &Set,
    learners: &[(String, PathBuf)],
    package: &Package,
) -> Result<Vec<Vec<Graded>>, Error> {
    let answers = learners.iter().enumerate().flat_map(|(number, (_, copy))| {
        let each = set.exercises.iter();
        each.map(move |it| (it, number, written(set, copy, it)))
    });
    let graded = judge_all(set, &answers.collect::<Vec<_>>(), package, LIMIT)?;
    let by_learner = graded.chunks(set.exercises.len());
    Ok(by_learner.map(<[_]>::to_vec).collect())
}

/// An exercise, what tells answers to it apart, and a file's text or why there is none.
pub(crate) type Answer<'a> = (&'a Exercise, usize, Result<String, (Mark, String)>);

/// Grades answers: all are built at once, with the course's checks in place of the learner's, and then run.
pub(crate) fn judge_all(
    set: &Set,
    answers: &[Answer<'_>],
    package: &Package,
    limit: Duration,
) -> Result<Vec<Graded>, Error> {
    let program = |(exercise, number, text): &Answer<'_>| {
        let (foot, name) = (foot(exercise), format!("{}--{number}", exercise.name));
        let text = text.as_ref().ok()?.replacen(&foot, END, 1) + END + &foot + CANARY;
        let file = format!("exercises/{}/{name}.rs", exercise.dir);
        Some(Program { name, file, text })
    };
    let programs: Vec<_> = answers.iter().map(program).collect();
    let built = package.build(set, &programs.iter().flatten().cloned().collect::<Vec<_>>())?;
    let (mut graded, mut files) = (Vec::new(), Vec::new());
    for ((exercise, _, text), program) in answers.iter().zip(&programs) {
        let build = program.as_ref().map(|it| built.get(&it.name));
        let (mark, why, screen) = match (text, build.flatten()) {
            (Err((mark, why)), _) => (*mark, &**why, ""),
            (_, None) => (Mark::DoesNotCompile, "the compiler was stopped", ""),
            (_, Some(Err(screen))) => {
                let first = screen.lines().next().filter(|_| !screen.contains(TWICE));
                (Mark::DoesNotCompile, first.unwrap_or(CHANGED), &**screen)
            }
            (_, Some(Ok(file))) => {
                files.push((graded.len(), &**file));
                (Mark::Failed, "the checks did not run", "")
            }
        };
        graded.push(Graded {
            exercise: Exercise::clone(exercise),
            mark,
            why: why.to_owned(),
            screen: screen.to_owned(),
            time: Duration::ZERO,
        });
    }
    let paths: Vec<_> = files.iter().map(|it| it.1).collect();
    for ((n, _), ran) in files.iter().zip(run::run(&paths, limit)?) {
        judge(&mut graded[*n], &ran);
    }
    for (graded, (exercise, number, _)) in graded.iter_mut().zip(answers) {
        // As the learner sees it, who has one program of this name.
        for sign in ["--", "__"] {
            let name = format!("{}{sign}{number}", exercise.name);
            graded.screen = graded.screen.replace(&name, &exercise.name);
        }
    }
    Ok(graded)
}

/// The mark on a program that was run, the line that says why, and what the tests that failed have said.
fn judge(graded: &mut Graded, ran: &[Ran]) {
    graded.time = ran.iter().map(|ran| ran.outcome.time).sum();
    // What tests a learner has beside those of the course is the learner's own affair.
    let of = |module| ran.iter().filter(move |it| it.name.starts_with(module));
    let by_module = JUDGES.map(|module| of(module).collect::<Vec<_>>());
    let ours = by_module.concat();
    for ran in ours.iter().filter(|ran| ran.mark != Mark::Solved) {
        let Ran { name, outcome, .. } = ran;
        graded.screen += &format!("{name}\n{}{}", outcome.stdout, outcome.stderr);
    }
    let first = |mark| ours.iter().find(|ran| ran.mark == mark);
    let worst = [Mark::TimedOut, Mark::PrintedTooMuch, Mark::Failed].map(first);
    if let Some(ran) = worst.into_iter().flatten().next() {
        (graded.mark, graded.why) = (ran.mark, ran.why.clone());
    } else if by_module.iter().all(|it| !it.is_empty()) {
        (graded.mark, graded.why) = (Mark::Solved, String::new());
    }
}

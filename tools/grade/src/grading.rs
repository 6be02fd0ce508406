//! What learners have written, graded by the checks of the course.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use course::Exercise;
use kit::files;

use crate::earlier;
use crate::judge::Judge;
use crate::package::{Package, Program};
use crate::run::{self, Mark, Ran};
use crate::{Error, Set, set::foot};

/// A test of a learner's may run so long.
const LIMIT: Duration = Duration::from_secs(4);
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
        let folders = entries
            .map(|entry| entry.path())
            .filter(|path| path.is_dir() && !is_hidden(path));
        all = folders.map(|folder| learner(&folder)).collect();
        all.sort();
    }
    if !all.iter().any(|(_, copy)| has_some(copy)) {
        let expected = set
            .exercises
            .first()
            .map(Exercise::file)
            .unwrap_or_default();
        let is_exercise =
            |it: &PathBuf| set.exercises.iter().any(|exercise| is_named(it, exercise));
        let found = visible(&folder).into_iter().find(is_exercise);
        let found = found.map_or(String::new(), |it| {
            format!(". There is {}", files::shown(&folder, &it))
        });
        let what = "holds none of the exercises at its place, which is";
        return Err(format!(
            "{} {what} exercises/{expected}, or the same in a folder for each learner{found}",
            folder.display()
        )
        .into());
    }
    Ok(all)
}

/// Whether the system or a tool has put this folder there, such as `.git` or what macOS puts into an archive.
pub(crate) fn is_hidden(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name == "__MACOSX"
}

/// All files in a folder that are not in a hidden one.
pub(crate) fn visible(folder: &Path) -> Vec<PathBuf> {
    let mut all = files::below(folder).unwrap_or_default();
    all.retain(|file| {
        let below = file.ancestors().take_while(|parent| *parent != folder);
        !below.into_iter().any(is_hidden)
    });
    all
}

fn is_named(file: &Path, exercise: &Exercise) -> bool {
    file.file_name() == Path::new(&exercise.file()).file_name()
}

/// What a learner's file holds, or why there is nothing to grade. It may be a starter of today, or one that was handed out earlier.
fn written(
    set: &Set,
    earlier: &BTreeMap<String, Vec<String>>,
    copy: &Path,
    exercise: &Exercise,
) -> Result<String, (Mark, String)> {
    let file = format!("exercises/{}", exercise.file());
    let bytes = fs::read(copy.join(&file)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let elsewhere = visible(copy)
                .into_iter()
                .find(|path| is_named(path, exercise));
            let why = match elsewhere {
                Some(there) => {
                    let there = files::shown(copy, &there);
                    format!(
                        "it belongs into exercises/{}, and is at {there}",
                        exercise.dir
                    )
                }
                None => "there is no such file".to_owned(),
            };
            (Mark::Missing, why)
        }
        _ => (Mark::Missing, format!("it cannot be read: {error}")),
    })?;
    // A file that is not UTF-8 does not compile: the compiler says so, at the replacement.
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n") + "\n";
    let text = text.trim_start_matches('\u{feff}').to_owned();
    let starter = set.starter(exercise).unwrap_or_default();
    // All of it counts, above its last lines and below them. A learner who has only lost those has not started.
    let foot = foot(exercise);
    let own = |it: &str| it.replacen(&foot, "", 1).trim_end().to_owned();
    let mut starters = earlier.get(&file).into_iter().flatten().chain([&starter]);
    let is_starter = starters.any(|starter| own(starter) == own(&text));
    let answer = (!is_starter).then_some(text);
    answer.ok_or((Mark::NotStarted, String::new()))
}

/// Grades what these learners have written, learner by learner.
pub fn grade(
    set: &Set,
    learners: &[(String, PathBuf)],
    package: &Package,
) -> Result<Vec<Vec<Graded>>, Error> {
    let earlier = &earlier::texts(&set.folder, "exercises")?;
    let answers = learners.iter().enumerate().flat_map(|(number, (_, copy))| {
        let each = set.exercises.iter();
        each.map(move |it| (it, number, written(set, earlier, copy, it)))
    });
    let graded = judge_all(set, &answers.collect::<Vec<_>>(), package, LIMIT)?;
    let by_learner = graded.chunks(set.exercises.len());
    Ok(by_learner.map(<[_]>::to_vec).collect())
}

/// An exercise, what tells answers to it apart, and a file's text or why there is none.
pub(crate) type Answer<'a> = (&'a Exercise, usize, Result<String, (Mark, String)>);

/// A program that was built, and is to be run.
struct ToRun<'a> {
    /// Of its answer, among all.
    place: usize,
    program: &'a Path,
    checks: &'a [String],
}

/// Grades answers: all are built at once, beside the course's checks, and then run.
pub(crate) fn judge_all(
    set: &Set,
    answers: &[Answer<'_>],
    package: &Package,
    limit: Duration,
) -> Result<Vec<Graded>, Error> {
    let mut judges = BTreeMap::new();
    for exercise in answers.iter().map(|answer| answer.0) {
        judges.insert(&exercise.name, Judge::of(set, exercise)?);
    }
    let program = |(exercise, number, text): &Answer<'_>| {
        let (text, name) = (
            text.as_ref().ok()?.clone(),
            format!("{}--{number}", exercise.name),
        );
        let file = format!("exercises/{}/{name}.rs", exercise.dir);
        let (open, judge) = judges[&exercise.name].of_answer(&name, &text);
        Some(Program {
            name,
            file,
            text,
            open,
            judge,
        })
    };
    let programs: Vec<_> = answers.iter().map(program).collect();
    let built = package.build(set, &programs.iter().flatten().cloned().collect::<Vec<_>>())?;
    let (mut graded, mut all_to_run) = (Vec::new(), Vec::new());
    for ((exercise, _, text), program) in answers.iter().zip(&programs) {
        let build = program.as_ref().map(|program| built.get(&program.name));
        let (mark, why, screen) = match (text, build.flatten()) {
            (Err((mark, why)), _) => (*mark, &**why, ""),
            (_, None) => (Mark::DoesNotCompile, "the compiler was stopped", ""),
            (_, Some(Err(screen))) => {
                let first = screen.lines().next().unwrap_or_default();
                (Mark::DoesNotCompile, first, &**screen)
            }
            (_, Some(Ok(file))) => {
                all_to_run.push(ToRun {
                    place: graded.len(),
                    program: file,
                    checks: &judges[&exercise.name].checks,
                });
                (Mark::Failed, "its checks did not run", "")
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
    let programs = all_to_run.iter().map(|run| (run.program, run.checks));
    let ran = run::run(&programs.collect::<Vec<_>>(), limit)?;
    for (to_run, ran) in all_to_run.iter().zip(ran) {
        judge(&mut graded[to_run.place], &ran, to_run.checks.len());
    }
    for (graded, (exercise, number, _)) in graded.iter_mut().zip(answers) {
        // Of a message, which may have anything in it, a table has what can be read.
        graded.why.retain(|letter| !letter.is_control());
        // As the learner sees it, who has one program of this name.
        for sign in ["--", "__"] {
            let name = format!("{}{sign}{number}", exercise.name);
            graded.screen = graded.screen.replace(&name, &exercise.name);
            graded.why = graded.why.replace(&name, &exercise.name);
        }
    }
    Ok(graded)
}

/// The mark on a program that was run, the line that says why, and what the checks that failed have said. It is solved if as
/// many checks have passed as there are.
fn judge(graded: &mut Graded, ran: &[Ran], checks: usize) {
    graded.time = ran.iter().map(|ran| ran.outcome.time).sum();
    for ran in ran.iter().filter(|ran| ran.mark != Mark::Solved) {
        let Ran { name, outcome, .. } = ran;
        graded.screen += &format!("{name}\n{}{}", outcome.stdout, outcome.stderr);
    }
    let first = |mark| ran.iter().find(|ran| ran.mark == mark);
    let worst = [Mark::TimedOut, Mark::PrintedTooMuch, Mark::Failed].map(first);
    if let Some(ran) = worst.into_iter().flatten().next() {
        (graded.mark, graded.why) = (ran.mark, ran.why.clone());
    } else if ran.len() == checks {
        (graded.mark, graded.why) = (Mark::Solved, String::new());
    }
}

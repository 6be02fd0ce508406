//! What learners have written, graded by the checks of the course.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use course::Exercise;

use crate::{
    Error, Set,
    checks::{self, Judge, Mark, Package, Program, Ran},
    class::{Learner, NOT_HANDED_IN},
    handout::earlier,
    set::foot,
};

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
    /// The points that the teacher has given in the place of the grader's.
    pub given: Option<u32>,
}

impl Graded {
    /// What it counts: all or nothing, unless the teacher has decided.
    pub fn points(&self) -> u32 {
        let computed = u32::from(self.mark == Mark::Solved) * self.exercise.points;
        self.given.unwrap_or(computed)
    }
}

/// A learner, and what became of each exercise.
#[derive(Clone, Debug)]
pub struct Row {
    /// The learner's name.
    pub learner: String,
    /// What became of the answer to each exercise.
    pub answers: Vec<Graded>,
}

/// What a learner has written for an exercise, or why there is nothing to grade. What was handed in last counts.
pub(crate) fn written(
    set: &Set,
    earlier: &BTreeMap<String, Vec<String>>,
    learner: &Learner,
    exercise: &Exercise,
) -> Result<String, (Mark, String)> {
    let last = written_once(set, earlier, learner, exercise);
    let (Err((_, why)), Some(before)) = (&last, &learner.before) else {
        return last;
    };
    let is_missing = why == NOT_HANDED_IN;
    let before = written(set, earlier, before, exercise);
    if before.is_ok() || is_missing {
        before
    } else {
        last
    }
}

/// The same of what was handed in at one time. It may be a starter of today, or one that was handed out earlier.
fn written_once(
    set: &Set,
    earlier: &BTreeMap<String, Vec<String>>,
    learner: &Learner,
    exercise: &Exercise,
) -> Result<String, (Mark, String)> {
    let missing = |why| (Mark::Missing, why);
    let file = learner.file(exercise).map_err(missing)?;
    let bytes = fs::read(file).map_err(|error| missing(format!("it cannot be read: {error}")))?;
    // Such as an image, or a text in UTF-16. For each of its bytes, the compiler would print an error.
    if bytes.contains(&0) {
        return Err(missing("the file is not a text in UTF-8".to_owned()));
    }
    // Another file that is not UTF-8 does not compile: the compiler says so, at the replacement.
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n") + "\n";
    let text = text.trim_start_matches('\u{feff}').to_owned();
    if text.trim().is_empty() {
        return Err(missing("the file is empty".to_owned()));
    }
    let starter = set.starter(exercise).unwrap_or_default();
    let place = format!("exercises/{}", exercise.file());
    // All of it counts, above its last lines and below them. A learner who has only lost those has not started.
    let foot = foot(exercise);
    let own = |text: &str| text.replacen(&foot, "", 1).trim_end().to_owned();
    let mut starters = earlier.get(&place).into_iter().flatten().chain([&starter]);
    let is_starter = starters.any(|starter| own(starter) == own(&text));
    let answer = (!is_starter).then_some(text);
    answer.ok_or((Mark::NotStarted, String::new()))
}

/// Grades what these learners have written, learner by learner.
pub fn grade(set: &Set, learners: &[Learner], package: &Package) -> Result<Vec<Row>, Error> {
    let earlier = &earlier::texts(&set.folder, "exercises")?;
    let answers = learners.iter().enumerate().flat_map(|(number, learner)| {
        let each = set.exercises.iter();
        each.map(move |exercise| (exercise, number, written(set, earlier, learner, exercise)))
    });
    let graded = judge_all(set, &answers.collect::<Vec<_>>(), package, LIMIT)?;
    let by_learner = learners.iter().zip(graded.chunks(set.exercises.len()));
    let row = |(learner, answers): (&Learner, &[Graded])| Row {
        learner: learner.name.clone(),
        answers: answers.to_vec(),
    };
    Ok(by_learner.map(row).collect())
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
            given: None,
        });
    }
    let programs = all_to_run.iter().map(|run| (run.program, run.checks));
    let ran = checks::run(&programs.collect::<Vec<_>>(), limit)?;
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

//! The programs that an exercise is proved with.

use super::finding::finding;
use crate::{
    Error, Exercise, Set, Wrong,
    package::Program,
    split::{at_tests, with_tests},
};

/// What stands above the tests.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Above<'a> {
    /// What the learner gets.
    Starter,
    Solution,
    Wrong(&'a Wrong),
}

/// A program, and what it is there for.
#[derive(Debug)]
pub(crate) struct Variant<'a> {
    pub(crate) exercise: &'a Exercise,
    pub(crate) above: Above<'a>,
    /// Whether the tests are those that are held out.
    pub(crate) held_out: bool,
    pub(crate) program: Program,
}

/// All programs of an exercise, unless one of its files cannot be used. What is wrong with them, `of_exercise` says.
pub(crate) fn variants<'a>(set: &Set, exercise: &'a Exercise) -> Vec<Variant<'a>> {
    try_variants(set, exercise).unwrap_or_default()
}

fn try_variants<'a>(set: &Set, exercise: &'a Exercise) -> Result<Vec<Variant<'a>>, Error> {
    let name = &exercise.name;
    let starter = set.read(&set.exercise(name))?;
    let solution = set.read(&set.solution(name))?;
    let held_out = set.read(&Set::held_out(name))?;
    let tests = at_tests(&starter).1;
    let mut parts = vec![
        (Above::Starter, "starter".to_owned(), starter.clone()),
        (Above::Solution, "solution".to_owned(), solution.clone()),
    ];
    for wrong in &exercise.wrong {
        let text = set.wrong(exercise, wrong)?;
        parts.push((Above::Wrong(wrong), format!("wrong-{}", wrong.slip), text));
    }
    let mut variants = Vec::new();
    for (above, called, text) in parts {
        for (is_held_out, called) in [(false, called.clone()), (true, called + "-held-out")] {
            let part = at_tests(&text).0;
            let text = match above {
                _ if is_held_out => with_tests(part, &held_out),
                Above::Wrong(_) => with_tests(part, tests),
                // As it is: there is nothing to be put together.
                Above::Starter | Above::Solution => text.clone(),
            };
            let program = Program {
                name: format!("{name}--{called}"),
                file: format!("{called}/{}", set.exercise(name)),
                text,
            };
            variants.push(Variant {
                exercise,
                above,
                held_out: is_held_out,
                program,
            });
        }
    }
    Ok(variants)
}

impl Variant<'_> {
    /// As a learner would see it, who has only one file of this name.
    pub(crate) fn as_learner(&self, screen: &str) -> String {
        let Program { name, file, .. } = &self.program;
        let exercise = &self.exercise.name;
        let called = name[exercise.len()..].replace('-', "_");
        let folder = &file[..file.find('/').map_or(0, |at| at + 1)];
        screen
            .replace(folder, "")
            .replace(name.as_str(), exercise)
            .replace(&format!("{exercise}{called}"), exercise)
    }

    pub(crate) fn finding(&self, what: &str, fix: &str) -> String {
        let above = match self.above {
            Above::Starter => "the starter",
            Above::Solution => "the solution",
            Above::Wrong(wrong) => &format!("wrong answer {}", wrong.slip),
        };
        let tests = if self.held_out {
            " with the held-out tests"
        } else {
            ""
        };
        finding(&self.exercise.name, format!("{above}{tests}: {what}"), fix)
    }
}

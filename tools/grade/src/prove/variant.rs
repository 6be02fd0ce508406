//! The programs that an exercise is proved with.

use super::Finding;
use crate::{
    Exercise, Set,
    scratch::Program,
    split::{at_tests, with_tests},
};

/// What stands above the tests, and which tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The file that the learner gets.
    Starter,
    /// The same with the tests that are held out.
    StarterHeldOut,
    Solution,
    SolutionHeldOut,
    /// One of the wrong answers, with the starter's tests.
    Wrong(usize),
    WrongHeldOut(usize),
}

/// A program, and what it is there for.
#[derive(Debug)]
pub(crate) struct Case<'a> {
    pub(crate) exercise: &'a Exercise,
    pub(crate) variant: Variant,
    pub(crate) program: Program,
}

/// All programs of an exercise whose files are there.
pub(crate) fn cases<'a>(set: &Set, exercise: &'a Exercise) -> Vec<Case<'a>> {
    let name = &exercise.name;
    let Ok(starter) = set.read(&set.exercise(name)) else {
        return Vec::new();
    };
    let (above, tests) = at_tests(&starter);
    let mut cases = Vec::new();
    let mut add = |variant: Variant, text: String| {
        let called = match variant {
            Variant::Starter => "starter".to_owned(),
            Variant::StarterHeldOut => "starter-held-out".to_owned(),
            Variant::Solution => "solution".to_owned(),
            Variant::SolutionHeldOut => "solution-held-out".to_owned(),
            Variant::Wrong(n) => format!("wrong-{}", exercise.wrong[n].slip),
            Variant::WrongHeldOut(n) => format!("wrong-held-out-{}", exercise.wrong[n].slip),
        };
        let program = Program {
            name: format!("{name}--{called}"),
            file: format!("{called}/{}", set.exercise(name)),
            text,
        };
        cases.push(Case {
            exercise,
            variant,
            program,
        });
    };
    add(Variant::Starter, starter.clone());
    let held_out = set.read(&Set::held_out(name)).ok();
    if let Some(held_out) = &held_out {
        add(Variant::StarterHeldOut, with_tests(above, held_out));
    }
    if let Ok(solution) = set.read(&set.solution(name)) {
        if let Some(held_out) = &held_out {
            let text = with_tests(at_tests(&solution).0, held_out);
            add(Variant::SolutionHeldOut, text);
        }
        add(Variant::Solution, solution);
    }
    for (n, wrong) in exercise.wrong.iter().enumerate() {
        if let Ok(text) = set.read(&Set::wrong(name, &wrong.slip)) {
            add(Variant::Wrong(n), with_tests(&text, tests));
            if let Some(held_out) = &held_out {
                add(Variant::WrongHeldOut(n), with_tests(&text, held_out));
            }
        }
    }
    cases
}

impl Case<'_> {
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

    pub(crate) fn finding(&self, what: impl Into<String>, mend: &str) -> Finding {
        let at = match self.variant {
            Variant::Starter => "the starter".to_owned(),
            Variant::StarterHeldOut => "the starter with the held-out tests".to_owned(),
            Variant::Solution => "the solution".to_owned(),
            Variant::SolutionHeldOut => "the solution with the held-out tests".to_owned(),
            Variant::Wrong(n) => format!("wrong answer {}", self.exercise.wrong[n].slip),
            Variant::WrongHeldOut(n) => {
                let slip = &self.exercise.wrong[n].slip;
                format!("wrong answer {slip} with the held-out tests")
            }
        };
        let what = format!("{at}: {}", what.into());
        Finding::new(&self.exercise.name, what, mend)
    }
}

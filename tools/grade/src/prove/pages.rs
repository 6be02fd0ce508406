//! The pages that are written from the catalogue, and from what the runs have shown.

use kit::{markdown, written};

use super::{finding::finding, proof::Proof, screen::lines_with};
use crate::{Base, Exercise, Set, Wrong};

const TABLE: &str = "class/table.md";
const WRONG_ANSWERS: &str = "class/wrong-answers.md";
const COMMAND: &str = "cargo run -p grade --bin prove -- --write";
const SCREEN: &str = "```text\n";

/// The pages that are stale.
///
/// Of a screen no more is compared than the text that the catalogue promises: what stands beside it may be a time, or
/// the test that happened to fail first.
pub fn check_pages(set: &Set) -> Vec<String> {
    let there = set.read(WRONG_ANSWERS).unwrap_or_default();
    let screens = there.split(SCREEN).skip(1);
    let mut screens = screens.map(|part| part.split("\n```").next().unwrap_or_default());
    let mut shown = |_: &Exercise, wrong: &Wrong| {
        let screen = screens.next().unwrap_or_default();
        let promised = lines_with(screen, &wrong.sees).is_some();
        (if promised { screen } else { &wrong.sees }).to_owned()
    };
    let pages = [table(set), (WRONG_ANSWERS, wrong_answers(set, &mut shown))];
    let check = pages.map(|(file, text)| page(set, file, &text, false));
    check.into_iter().filter_map(Result::err).collect()
}

/// Writes the pages. What screens show is written only if all of it has been seen in a run.
pub fn write_pages(set: &Set, seen: Option<&Proof>) -> Vec<String> {
    let (file, text) = table(set);
    let table = page(set, file, &text, true);
    let wrong_answers = match seen {
        Some(proof) => {
            let mut shown = |exercise: &Exercise, wrong: &Wrong| proof.screen(exercise, wrong);
            page(set, WRONG_ANSWERS, &wrong_answers(set, &mut shown), true)
        }
        None => {
            let what = "it was not written: not all of it has been seen in a run";
            let fix = "fix what is found, and write again without `--no-run`";
            Err(finding(WRONG_ANSWERS, what, fix))
        }
    };
    let written = [table, wrong_answers];
    written.into_iter().filter_map(Result::err).collect()
}

fn page(set: &Set, file: &str, text: &str, write: bool) -> Result<(), String> {
    let text = format!("<!-- Written by `{COMMAND}`. -->\n\n{text}");
    written::check(&set.folder.join(file), &text, write, COMMAND)
}

fn table(set: &Set) -> (&'static str, String) {
    let head = [
        "exercise",
        "kind",
        "minutes:",
        "points:",
        "the starter shows",
        "wrong answers tried:",
    ];
    let rows = set.exercises.iter().map(|exercise| {
        let red: Vec<_> = exercise.red.split_whitespace().collect();
        [
            format!("`{}`", exercise.name),
            exercise.kind.to_string(),
            exercise.minutes.to_string(),
            exercise.points.to_string(),
            red.join(" "),
            exercise.wrong.len().to_string(),
        ]
    });
    let sum = |of: fn(&Exercise) -> usize| set.exercises.iter().map(of).sum::<usize>();
    let text = format!(
        "{}\n{} exercises, {} minutes, {} points, {} wrong answers.\n",
        markdown::table(&head, rows),
        set.exercises.len(),
        sum(|exercise| exercise.minutes as usize),
        sum(|exercise| exercise.points as usize),
        sum(|exercise| exercise.wrong.len()),
    );
    (TABLE, text)
}

fn wrong_answers(set: &Set, shown: &mut dyn FnMut(&Exercise, &Wrong) -> String) -> String {
    let mut page = String::new();
    let mut stage = 0;
    for exercise in &set.exercises {
        if exercise.stage != stage {
            stage = exercise.stage;
            page += &format!("## Chapter {stage:02}\n\n");
        }
        let Exercise {
            name, title, idea, ..
        } = exercise;
        page += &format!("### `{name}`: {title}\n\n{idea}\n\n");
        for wrong in &exercise.wrong {
            let base = match wrong.from {
                Base::Starter => "starter",
                Base::Solution => "solution",
            };
            page += &format!(
                "*The learner thinks:* {}\n\n*Compared with the {base}:*\n\n```diff\n{}```\n\n\
                 *The screen shows:*\n\n{SCREEN}{}\n```\n\n*You say:* {}\n\n",
                wrong.thinks,
                diff(&wrong.change),
                shown(exercise, wrong),
                wrong.say,
            );
        }
    }
    page.trim_end().to_owned() + "\n"
}

/// A change as it is shown: `-` before a line that the learner does not have, `+` before one that only the learner has.
fn diff(change: &[(String, String)]) -> String {
    let mut diff = String::new();
    for (n, (from, to)) in change.iter().enumerate() {
        if n > 0 {
            diff += "  ...\n";
        }
        let (from, to): (Vec<_>, Vec<_>) = (from.lines().collect(), to.lines().collect());
        let lines = || from.iter().chain(&to).filter(|line| !line.is_empty());
        let indent = lines()
            .map(|line| line.len() - line.trim_start().len())
            .min();
        let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let (before, from, to) = (&from[..same], &from[same..], &to[same..]);
        let same = from.iter().rev().zip(to.iter().rev());
        let same = same.take_while(|(a, b)| a == b).count();
        let (from, after) = from.split_at(from.len() - same);
        let to = &to[..to.len() - same];
        for (sign, lines) in [(" ", before), ("-", from), ("+", to), (" ", after)] {
            for line in lines {
                let line = line.get(indent.unwrap_or(0)..).unwrap_or_default();
                diff += format!("{sign} {line}").trim_end();
                diff += "\n";
            }
        }
    }
    diff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_on_both_sides_has_no_sign() {
        let change = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let one = change(
            "    a();\n    b();\n    c();\n",
            "    a();\n\n    if d {}\n    c();\n",
        );
        let two = change("e();", "f();");
        let shown = "  a();\n- b();\n+\n+ if d {}\n  c();\n  ...\n- e();\n+ f();\n";
        assert_eq!(diff(&[one, two]), shown);
    }
}

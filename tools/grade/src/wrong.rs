//! The wrong answers that learners give, as the teacher's pages have them, `class/wrong-answers/01.md` and so on.
//!
//! Below the heading of an exercise, each wrong answer has what the learner thinks, a `diff` from the starter or from the
//! solution, a `text` that the screen then shows, and what a teacher says. The pages are written for people, and that is
//! all that is read here.

use std::sync::LazyLock;

use kit::files;
use regex::Regex;

use crate::{Error, Set};

/// Stands between the places that a diff changes.
const ELSEWHERE: &str = "  ...";

/// A wrong answer that learners give.
#[derive(Clone, Debug, Default)]
pub struct Wrong {
    /// Whether it is a change of the file that the learner gets, or else of the solution.
    pub from_the_starter: bool,
    /// The lines that it changes, with `-`, `+` or a space and another space before each, and less indented than in
    /// the file.
    pub diff: String,
    /// What the screen then shows. `[..]` is text that varies.
    pub screen: String,
    /// What the learner thinks.
    pub thought: String,
    /// What a teacher says.
    pub answer: String,
}

/// A wrong answer on a page.
static WRONG: LazyLock<Regex> = LazyLock::new(|| {
    let parts = [
        r"(?ms)^\*The learner thinks:\* (.*?)$",
        r"^\*Compared with the (solution|starter):\*$",
        "^```diff\n(.*?)^```$",
        "^```text\n(.*?)^```$",
        r"^\*You say:\* (.*?)$",
    ];
    Regex::new(&parts.join(".*?")).expect("it is a regex")
});

/// Reads the pages of a set into its exercises.
pub(crate) fn read(set: &mut Set) -> Result<(), Error> {
    for file in files::below(&set.folder.join("class/wrong-answers")).unwrap_or_default() {
        let page = files::shown(&set.folder, &file);
        let text = set.read(&page)?;
        for section in text.split("### `").skip(1) {
            let name = section.split('`').next().unwrap_or_default();
            let exercise = set.exercises.iter_mut().find(|it| it.name == name);
            let exercise = exercise
                .ok_or_else(|| Error::Usage(format!("{page}: there is no exercise `{name}`")))?;
            let wrong = WRONG.captures_iter(section).map(|it| Wrong {
                thought: it[1].to_owned(),
                from_the_starter: &it[2] == "starter",
                diff: it[3].to_owned(),
                screen: it[4].to_owned(),
                answer: it[5].to_owned(),
            });
            exercise.wrong = wrong.collect();
            let count = exercise.wrong.len();
            if ["```diff", "```text"].map(|it| section.matches(it).count()) != [count; 2] {
                let form = "what the learner thinks, one ```diff, one ```text and what you say";
                return Err(Error::Usage(format!(
                    "{page}: {name}: to each wrong answer belong {form}"
                )));
            }
        }
    }
    Ok(())
}

impl Wrong {
    /// What the learner has written: the text that it is a change of, changed.
    ///
    /// # Errors
    ///
    /// The first line of the place that is to be changed and is not there.
    pub fn applied(&self, text: &str) -> Result<String, String> {
        let lines: Vec<_> = text.lines().collect();
        let diff: Vec<_> = self.diff.lines().collect();
        let (mut changed, mut at) = (Vec::new(), 0);
        for place in diff.split(|line| *line == ELSEWHERE) {
            let without = |sign: char| {
                let lines = place.iter().filter(move |line| !line.starts_with(sign));
                lines
                    .map(|line| line.get(2..).unwrap_or_default())
                    .collect::<Vec<_>>()
            };
            let (old, new) = (without('+'), without('-'));
            let is_it = |there: &[&str]| old.iter().zip(there).all(|(a, b)| a.trim() == b.trim());
            let found = lines[at..].windows(old.len().max(1)).position(is_it);
            let first = || old.iter().find(|line| !line.trim().is_empty()).copied();
            let found = at + found.ok_or_else(|| first().unwrap_or_default().to_owned())?;
            let indents = old
                .iter()
                .zip(&lines[found..])
                .find(|(old, _)| !old.trim().is_empty());
            let more = indents.map_or(0, |(old, there)| indent(there).saturating_sub(indent(old)));
            changed.extend(lines[at..found].iter().map(|line| (*line).to_owned()));
            changed.extend(new.iter().map(|line| match line.trim() {
                "" => String::new(),
                _ => format!("{:more$}{line}", ""),
            }));
            at = found + old.len();
        }
        changed.extend(lines[at..].iter().map(|line| (*line).to_owned()));
        Ok(changed.join("\n") + "\n")
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a screen shows a text. Lines may be broken elsewhere, and `[..]` is any text.
pub(crate) fn shows(screen: &str, text: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (screen, text) = (words(screen), words(text));
    let mut rest = screen.as_str();
    text.split("[..]").all(|part| match rest.find(part.trim()) {
        Some(at) => {
            rest = &rest[at + part.trim().len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_found_however_far_it_is_indented() {
        let wrong = |diff: &str| Wrong {
            diff: diff.to_owned(),
            ..Wrong::default()
        };
        let text = "f {\n    a();\n    b();\n\n    a();\n    c();\n}\n";
        let diff = "- a();\n+ d {\n+     e();\n+ }\n  b();\n  ...\n- c();";
        let changed = "f {\n    d {\n        e();\n    }\n    b();\n\n    a();\n}\n";
        assert_eq!(wrong(diff).applied(text).unwrap(), changed);
        assert_eq!(
            wrong("  b();\n\n- c();").applied(text),
            Err("b();".to_owned())
        );
    }

    #[test]
    fn a_text_is_found_across_lines_and_around_what_varies() {
        let screen = "first\n  seen     polled once\n           kept 1 waker, 12 ms\n";
        assert!(shows(screen, "polled once\nkept 1 waker, [..] ms"));
        assert!(!shows(screen, "polled once [..] seen"));
    }
}

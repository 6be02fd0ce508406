//! The wrong answers that learners give, as the teacher's pages have them, `class/wrong-answers/01.md` and so on.
//!
//! Below the heading of an exercise, each wrong answer has two blocks: a `diff` from the starter or from the solution,
//! and a `text` that the screen then shows. The pages are written for people, and these two are all that is read here.

use kit::files;

use crate::{Error, Set};

/// The line before a diff from the starter. Another diff is one from the solution.
const FROM_THE_STARTER: &str = "*Compared with the starter:*";
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

/// Reads the pages of a set into its exercises.
pub(crate) fn read(set: &mut Set) -> Result<(), Error> {
    for file in files::below(&set.folder.join("class/wrong-answers")).unwrap_or_default() {
        let page = files::shown(&set.folder, &file);
        let text = set.read(&page)?;
        let usage = |line: usize, what: &str| Error::Usage(format!("{page}:{line}: {what}"));
        let (mut name, mut from_the_starter, mut thought) = ("", false, "");
        let mut lines = (1..).zip(text.lines());
        while let Some((n, line)) = lines.next() {
            if let Some(heading) = line.strip_prefix("### `") {
                name = heading.split('`').next().unwrap_or_default();
            } else if line.starts_with("*Compared with") {
                from_the_starter = line == FROM_THE_STARTER;
            } else if let Some(text) = line.strip_prefix("*The learner thinks:* ") {
                thought = text;
            } else if let Some(text) = line.strip_prefix("*You say:* ") {
                let exercise = set.exercises.iter_mut().find(|it| it.name == name);
                if let Some(last) = exercise.and_then(|it| it.wrong.last_mut()) {
                    last.answer = text.to_owned();
                }
            }
            let Some(kind) = line.strip_prefix("```") else {
                continue;
            };
            let block = lines.by_ref().map(|(_, line)| line);
            let block: Vec<_> = block.take_while(|line| *line != "```").collect();
            let exercise = set.exercises.iter_mut().find(|it| it.name == name);
            let wrong = &mut exercise
                .ok_or_else(|| usage(n, &format!("there is no exercise `{name}`")))?
                .wrong;
            match (kind, wrong.last_mut()) {
                ("diff", None) => {}
                ("diff", Some(last)) if !last.screen.is_empty() => {}
                ("text", Some(last)) if last.screen.is_empty() => {
                    last.screen = block.join("\n");
                    continue;
                }
                _ => return Err(usage(n, "each ```diff is followed by one ```text")),
            }
            wrong.push(Wrong {
                from_the_starter,
                diff: block.join("\n"),
                thought: thought.to_owned(),
                ..Wrong::default()
            });
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

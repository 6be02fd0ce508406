//! The wrong answers that learners give, as the teacher's pages have them, `teachers/wrong-answers/01.md` and so on.
//!
//! Below the heading of an exercise, each wrong answer has what the learner thinks, a `diff` from the starter or from the solution, a
//! `text` that the screen then shows, and what a teacher says, which a learner's feedback has too. An answer without a `text` is right in
//! another way than the solution. The pages are written for people: the blocks and the word before them are all that is read here.

use std::{collections::BTreeMap, sync::LazyLock};

use kit::files;
use regex::Regex;

use crate::{Error, Set};

/// Stands between the places that a diff changes.
const ELSEWHERE: &str = "  ...";

/// An answer that learners give.
pub(crate) struct Wrong {
    /// The folder of the file that it is a change of.
    pub folder: &'static str,
    /// The lines that it changes, with `-`, `+` or a space and another space before each, and less indented than there.
    diff: String,
    /// What the screen then shows, if it is wrong. `[..]` is text that varies.
    pub screen: Option<String>,
    /// And what the teacher says then.
    pub says: Option<String>,
}

/// An answer on a page.
static WRONG: LazyLock<Regex> = LazyLock::new(|| {
    let says = r"\n\*You say:\* (.*?)(?:\n\n|\z)";
    let blocks = format!(r"^```diff\n(.*?)^```$(?:[^`]*^```text\n(.*?)^```$(?:{says})?)?");
    let all = format!(r"(?ms)^\*Compared with the (solution|starter):\*$.*?{blocks}");
    Regex::new(&all).expect("it is a regex")
});

/// Reads the pages of a set: the wrong answers, by the names of the exercises.
pub(crate) fn answers(set: &Set) -> Result<BTreeMap<String, Vec<Wrong>>, Error> {
    let mut all = BTreeMap::new();
    for page in files::below(&set.folder.join("teachers/wrong-answers")).unwrap_or_default() {
        let text = files::read(&page)?;
        for section in text.split("### `").skip(1) {
            let name = section.split('`').next().unwrap_or_default();
            let wrong = |answer: regex::Captures<'_>| Wrong {
                folder: match &answer[1] {
                    "starter" => "exercises",
                    _ => "solutions",
                },
                diff: answer[2].to_owned(),
                screen: answer.get(3).map(|text| text.as_str().to_owned()),
                says: answer.get(4).map(|text| text.as_str().trim().to_owned()),
            };
            let wrong: Vec<_> = WRONG.captures_iter(section).map(wrong).collect();
            let texts = wrong
                .iter()
                .filter(|answer| answer.screen.is_some())
                .count();
            let is_complete = |answer: &Wrong| answer.screen.is_some() == answer.says.is_some();
            let count = |fence| section.matches(fence).count();
            if ["```diff", "```text"].map(count) != [wrong.len(), texts]
                || !wrong.iter().all(is_complete)
            {
                let has = "each answer has what it is compared with and a diff, and a wrong one a text and `*You say:*`";
                return Err(format!("{}: {name}: {has}", page.display()).into());
            }
            all.insert(name.to_owned(), wrong);
        }
    }
    Ok(all)
}

impl Wrong {
    /// What the learner has written: the text that it is a change of, changed. Or the first line of the place that is to be
    /// changed and is not there, or is less indented there.
    pub fn applied(&self, text: &str) -> Result<String, String> {
        let lines: Vec<&str> = text.lines().collect();
        let diff: Vec<&str> = self.diff.lines().collect();
        let (mut changed, mut at) = (String::new(), 0);
        let mut take = |lines: &[&str], indent: usize| {
            for line in lines {
                let indent = if line.trim().is_empty() { 0 } else { indent };
                changed += &format!("{:indent$}{}\n", "", line.trim_end());
            }
        };
        for place in diff.split(|line| *line == ELSEWHERE) {
            let without = |sign| {
                let lines = place.iter().filter(move |line| !line.starts_with(sign));
                let texts = lines.map(|line| line.get(2..).unwrap_or_default());
                texts.collect::<Vec<_>>()
            };
            let (old, new) = (without('+'), without('-'));
            let is_it = |there: &[&str]| old.iter().zip(there).all(|(a, b)| a.trim() == b.trim());
            let found = lines[at..].windows(old.len().max(1)).position(is_it);
            let first = old.iter().position(|line| !line.trim().is_empty());
            let first = first.unwrap_or_default();
            let found = at + found.ok_or_else(|| old.get(first).copied().unwrap_or_default())?;
            let more = |line: &&str| indent(lines[found + first]).checked_sub(indent(line));
            let more = old.get(first).map_or(Some(0), more);
            let more = more.ok_or_else(|| old[first].to_owned())?;
            take(&lines[at..found], 0);
            take(&new, more);
            at = found + old.len();
        }
        take(&lines[at..], 0);
        Ok(changed)
    }
}

/// What the teacher says to a learner whose screen is this. If the texts of several answers are on it, the longest is about most of it.
pub(crate) fn says<'a>(wrong: &'a [Wrong], screen: &str) -> Option<&'a str> {
    let texts = wrong
        .iter()
        .filter_map(|answer| Some((answer.screen.as_deref()?, answer)));
    let shown = texts.filter(|(text, _)| shows(screen, text));
    let (_, longest) = shown.max_by_key(|(text, _)| text.len())?;
    longest.says.as_deref()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a screen shows a text. Lines may be broken elsewhere, and `[..]` is any text.
pub(crate) fn shows(screen: &str, text: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (screen, text) = (words(screen), words(text));
    let mut rest = screen.as_str();
    text.split("[..]").all(|part| {
        let found = rest.split_once(part.trim());
        rest = found.map_or("", |(_, rest)| rest);
        found.is_some()
    })
}

#[cfg(test)]
#[test]
fn a_diff_that_is_deeper_indented_than_its_file_is_told() {
    let diff = |diff: &str| Wrong {
        folder: "solutions",
        diff: diff.to_owned(),
        screen: None,
        says: None,
    };
    let file = "fn a() {\n    1\n}\n";
    let applied = |text: &str| diff(text).applied(file);
    assert_eq!(applied("- 1\n+ 2\n").unwrap(), "fn a() {\n    2\n}\n");
    assert_eq!(
        applied("-         1\n+         2\n").unwrap_err(),
        "        1"
    );
}

//! Changes of a source file, such as those that put a known mistake into it. They name what they change as [`source`] does.

use std::ops::Range;

use serde::Deserialize;

use crate::{
    anchor::{self, Line},
    source,
};

/// What becomes of a place in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// A line or several, by their words. It is a place of the file without any change.
    at: String,
    /// What is changed in their code, if not all: a word or several, which are there once.
    word: Option<String>,
    /// What is there then. In it, `{there}` is what was there before.
    becomes: String,
}

/// A text with its changes. The places of all of them are those of the original, and no two are of the same text.
///
/// # Errors
///
/// If the text has no such place, the place doesn't have the word once, or two changes overlap.
pub fn changed(original: &str, changes: &[Change]) -> Result<String, String> {
    let lines = anchor::lines(original);
    let begins = begins(original);
    let mut edits = Vec::new();
    for change in changes {
        let range = change.range(&lines, &begins)?;
        edits.push((range, change));
    }
    edits.sort_by_key(|(range, _)| range.start);
    for pair in edits.windows(2) {
        let [(before, first), (after, second)] = pair else {
            continue;
        };
        if before.end > after.start {
            return Err(format!("`{}` and `{}` overlap", first.at, second.at));
        }
    }
    let mut text = original.to_owned();
    // From the last on, so that the places before it stay where they are.
    for (range, change) in edits.into_iter().rev() {
        let becomes = change.becomes.replace("{there}", &original[range.clone()]);
        text.replace_range(range, &becomes);
    }
    Ok(text)
}

impl Change {
    /// Where it is in the text of these lines, which begin there.
    fn range(&self, lines: &[Line<'_>], begins: &[usize]) -> Result<Range<usize>, String> {
        let there = &lines[source::find(lines, &self.at)?];
        let Some(word) = &self.word else {
            let (first, last) = (&there[0], &there[there.len() - 1]);
            return Ok(begins[first.number]..begins[last.number] + last.text.len());
        };
        let mut found = there.iter().flat_map(|line| {
            let code = begins[line.number] + (line.text.len() - line.text.trim_start().len());
            whole_words(line.code, word).map(move |at| code + at..code + at + word.len())
        });
        match (found.next(), found.next()) {
            (Some(range), None) => Ok(range),
            (None, _) => Err(format!("`{}` has no `{word}`", self.at)),
            _ => Err(format!("`{}` has several `{word}`", self.at)),
        }
    }
}

/// Where each line begins, those with marks among them.
fn begins(text: &str) -> Vec<usize> {
    let mut begin = 0;
    let mut begins = Vec::new();
    for line in text.split_inclusive('\n') {
        begins.push(begin);
        begin += line.len();
    }
    begins
}

/// Where these words are in a code: not in the middle of a name, and not next to a letter that would make them another one.
fn whole_words(code: &str, words: &str) -> impl Iterator<Item = usize> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let begins = words.starts_with(is_of_name);
    let ends = words.ends_with(is_of_name);
    let found = code.match_indices(words).filter(move |(at, _)| {
        let (before, after) = (&code[..*at], &code[at + words.len()..]);
        !(begins && before.ends_with(is_of_name) || ends && after.starts_with(is_of_name))
    });
    found.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(at: &str, word: Option<&str>, becomes: &str) -> Change {
        Change {
            at: at.to_owned(),
            word: word.map(str::to_owned),
            becomes: becomes.to_owned(),
        }
    }

    #[test]
    fn the_places_of_all_changes_are_those_of_the_original() {
        let moved = [
            change("first", None, ""),
            change("second .. third", Some("(third)"), "(3)"),
            change("fourth", None, "{there}\nfirst();"),
        ];
        let text = "first();\nsecond();\nthird(third);\nfourth();\n";
        assert_eq!(
            changed(text, &moved).unwrap(),
            "\nsecond();\nthird(3);\nfourth();\nfirst();\n"
        );
    }

    #[test]
    fn a_place_that_is_gone_is_told() {
        for (change, why) in [
            (change("gone", None, ""), "no line has the words `gone`"),
            (change("here", Some("gone"), ""), "`here` has no `gone`"),
            (change("here", Some("it"), ""), "`here` has no `it`"),
            (
                change("here", Some("there"), ""),
                "`here` has several `there`",
            ),
        ] {
            let text = "here(items, there, there); // it\n";
            assert_eq!(changed(text, &[change]).unwrap_err(), why);
        }
    }

    #[test]
    fn a_word_is_not_a_part_of_another_one() {
        let text = "    swap(Acquire, AcqRel, do_Acquire);\n";
        let words = [
            change("swap", Some("Acquire"), "A"),
            change("swap", Some(", AcqRel"), "{there}eased"),
        ];
        assert_eq!(
            changed(text, &words).unwrap(),
            "    swap(A, AcqReleased, do_Acquire);\n"
        );
    }

    #[test]
    fn changes_of_the_same_text_are_told() {
        let twice = [
            change("second", Some("second"), "2"),
            change("first .. second", None, ""),
        ];
        let why = "`first .. second` and `second` overlap";
        assert_eq!(changed("first();\nsecond();\n", &twice).unwrap_err(), why);
    }
}

//! Changes of a source file, such as those that put a known mistake into it. They name what they change as [`source`] does.

use serde::Deserialize;

use crate::{anchor, source};

/// What becomes of a place in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// A line or several, by their words. It is a place of the file without any change.
    at: String,
    /// What is changed there, if not all.
    word: Option<String>,
    /// What is there then. In it, `{there}` is what was there before.
    becomes: String,
}

/// A text with its changes. The places of all of them are those of the original.
///
/// # Errors
///
/// If the text has no such place, or the place has no such word.
pub fn changed(original: &str, changes: &[Change]) -> Result<String, String> {
    let lines = anchor::lines(original);
    let mut changed: Vec<String> = original.lines().map(str::to_owned).collect();
    for Change { at, word, becomes } in changes {
        let found = source::find(&lines, at)?;
        let place = lines[*found.start()].number..=lines[*found.end()].number;
        let there = changed[place.clone()].join("\n");
        let now = match word {
            Some(word) if !there.contains(word) => return Err(format!("`{at}` has no `{word}`")),
            Some(word) => there.replace(word, becomes),
            None => becomes.replace("{there}", &there),
        };
        // The other lines keep their numbers.
        let first = *place.start();
        changed[place].fill(String::new());
        changed[first] = now;
    }
    Ok(changed.join("\n") + "\n")
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
            change("second .. third", Some("third"), "3"),
            change("fourth", None, "{there}\nfirst();"),
        ];
        let text = "first();\nsecond();\nthird(third);\nfourth();\n";
        assert_eq!(
            changed(text, &moved).unwrap(),
            "\nsecond();\n3(3);\n\nfourth();\nfirst();\n"
        );
    }

    #[test]
    fn a_place_that_is_gone_is_told() {
        for (change, why) in [
            (change("gone", None, ""), "no line has the words `gone`"),
            (change("here", Some("gone"), ""), "`here` has no `gone`"),
        ] {
            assert_eq!(changed("here();\n", &[change]).unwrap_err(), why);
        }
    }
}

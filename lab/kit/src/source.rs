//! A place in source code, named by the words of its code. Whatever speaks of a line, such as a player of the book, a game or a known
//! mistake, names it like this and does not quote it: a comment, an argument or a line that is broken elsewhere changes no name.
//!
//! - `wake`: the one line whose code has this word. `fetch_or SCHEDULED`: the one line that has both, or if there are several, the one
//!   that has no other words.
//! - `drop state .. wake`: all lines from that one to the first after it that has `wake`.
//! - `poll: match`: the one between `// ANCHOR: poll` and its end.
//!
//! A word is what Rust takes for a name, a keyword or a number. What is in a comment doesn't count.

use std::ops::{Range, RangeInclusive};

use proc_macro2::{TokenStream, TokenTree};

use crate::anchor::{self, Line};

/// Where such a place is in these lines: the first and the last of them, counted from 0.
///
/// ```
/// use kit::{anchor::lines, source::find};
/// let lines = lines("let state = self.state.lock();\n// Calls no waker.\ndrop(state);\nwaker.wake();");
/// assert_eq!(find(&lines, "lock"), Ok(0..=0));
/// assert_eq!(find(&lines, "drop .. wake"), Ok(2..=3));
/// assert_eq!(find(&lines, "state").unwrap_err(), "several lines have the words `state`: 1, 3");
/// assert_eq!(find(&lines, "no_waker").unwrap_err(), "no line has the words `no_waker`");
/// ```
///
/// # Errors
///
/// If there is no such line, or more than one.
pub fn find(lines: &[Line<'_>], place: &str) -> Result<RangeInclusive<usize>, String> {
    let place = Place::parse(place);
    let among: Vec<usize> = (0..lines.len())
        .filter(|number| place.may_be_in(&lines[*number]))
        .collect();
    if let (true, Some(anchor)) = (among.is_empty(), place.anchor) {
        return Err(anchor::no_part(anchor));
    }
    let with_words = |wanted: &str| {
        let has_all = |number: &usize| {
            let words: Vec<&str> = words_of(lines[*number].code).collect();
            wanted.split(' ').all(|word| words.contains(&word))
        };
        among
            .iter()
            .copied()
            .filter(has_all)
            .collect::<Vec<usize>>()
    };
    let first = place.first;
    let found = with_words(first);
    let has_no_others = |number: &usize| {
        words_of(lines[*number].code).all(|word| first.split(' ').any(|wanted| wanted == word))
    };
    let alone: Vec<usize> = found.iter().copied().filter(has_no_others).collect();
    let begin = match (&found[..], &alone[..]) {
        ([one], _) | (_, [one]) => *one,
        ([], _) => return Err(place.fault(&format!("no line has the words `{first}`"))),
        _ => {
            let numbers = found
                .iter()
                .map(|number| (lines[*number].number + 1).to_string());
            let numbers = numbers.collect::<Vec<_>>().join(", ");
            return Err(place.fault(&format!(
                "several lines have the words `{first}`: {numbers}"
            )));
        }
    };
    let Some(last) = place.last else {
        return Ok(begin..=begin);
    };
    let end = with_words(last).into_iter().find(|number| *number > begin);
    let no_end = || place.fault(&format!("no line after `{first}` has the words `{last}`"));
    Ok(begin..=end.ok_or_else(no_end)?)
}

/// The parts of a place's name: `anchor: first .. last`.
struct Place<'a> {
    anchor: Option<&'a str>,
    first: &'a str,
    last: Option<&'a str>,
}

impl<'a> Place<'a> {
    fn parse(name: &'a str) -> Place<'a> {
        let (anchor, words) = match name.split_once(": ") {
            Some((anchor, words)) => (Some(anchor), words),
            None => (None, name),
        };
        let (first, last) = match words.split_once(" .. ") {
            Some((first, last)) => (first, Some(last)),
            None => (words, None),
        };
        Place {
            anchor,
            first,
            last,
        }
    }

    fn may_be_in(&self, line: &Line<'_>) -> bool {
        self.anchor
            .is_none_or(|anchor| line.anchors.contains(&anchor))
    }

    fn fault(&self, what: &str) -> String {
        self.anchor
            .map_or(what.to_owned(), |anchor| format!("in `{anchor}`, {what}"))
    }
}

/// The words of a text, of its comments too.
pub fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| !word.is_empty())
}

/// The code of each line: without the comment at its end, and without spaces around it. In a text that isn't Rust, there are no comments.
pub fn code(text: &str) -> Vec<&str> {
    let tokens = tokens(text);
    let mut begin = 0;
    let code_of = |line: &'_ str| {
        let whole = begin..begin + line.len();
        begin = whole.end;
        let until_here = tokens.partition_point(|token| token.start < whole.end);
        let last = tokens[..until_here].last();
        let end = last.map_or(whole.start, |token| token.end.clamp(whole.start, whole.end));
        text[whole.start..end].trim()
    };
    text.split_inclusive('\n').map(code_of).collect()
}

/// Where the tokens of a text are, from the first to the last. A comment is none, and doesn't become one if it is documentation.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    match text.parse() {
        Ok(tokens) => collect(text, tokens, &mut found),
        // All of it is one.
        Err(_) => found.push(0..text.len()),
    }
    found
}

fn collect(text: &str, tokens: TokenStream, found: &mut Vec<Range<usize>>) {
    for token in tokens {
        let all = token.span().byte_range();
        if ["//", "/*"]
            .iter()
            .any(|begin| text[all.clone()].starts_with(begin))
        {
            continue;
        }
        match token {
            TokenTree::Group(group) => {
                found.push(group.span_open().byte_range());
                collect(text, group.stream(), found);
                found.push(group.span_close().byte_range());
            }
            _ => found.push(all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
// ANCHOR: one
let it = lock(); // twice
// ANCHOR_END: one
// ANCHOR: two
let it = lock();
say(\"a // b\");
// ANCHOR_END: two
";

    /// The numbers of the first and the last line, marks included.
    fn found(text: &str, place: &str) -> Result<(usize, usize), String> {
        let lines = anchor::lines(text);
        let range = find(&lines, place)?;
        Ok((lines[*range.start()].number, lines[*range.end()].number))
    }

    #[test]
    fn an_anchor_tells_two_lines_apart() {
        assert_eq!(
            found(TEXT, "lock").unwrap_err(),
            "several lines have the words `lock`: 2, 5"
        );
        assert_eq!(found(TEXT, "two: lock"), Ok((4, 4)));
        assert_eq!(
            found(TEXT, "one: say").unwrap_err(),
            "in `one`, no line has the words `say`"
        );
        assert_eq!(
            found(TEXT, "three: lock").unwrap_err(),
            "must have `ANCHOR: three` once, then its end"
        );
    }

    #[test]
    fn of_several_lines_the_one_without_other_words_is_meant() {
        let text = "state = Waiting(id);\nWaiting(id) => id,\ndrop(id);";
        assert_eq!(found(text, "Waiting id"), Ok((1, 1)));
        assert!(found(text, "id").is_err());
    }

    #[test]
    fn a_comment_is_no_code_and_what_looks_like_one_is() {
        for (line, is) in [
            ("waker.wake(); // it may panic", "waker.wake();"),
            ("say(\"a // b\"); // c", "say(\"a // b\");"),
            ("/// A \"word\".", ""),
            ("find('\"'); // \"", "find('\"');"),
            ("find('\\''); // '", "find('\\'');"),
            ("find(\"a\\\\\"); // \"", "find(\"a\\\\\");"),
            ("find(r#\"\"//\"#); // c", "find(r#\"\"//\"#);"),
            ("a /* b */ + c // d", "a /* b */ + c"),
        ] {
            assert_eq!(code(line), [is], "{line}");
        }
        let of_several_lines = code("a(\"\n// b\n\"); /* c\nd */\n{}");
        assert_eq!(of_several_lines, ["a(\"", "// b", "\");", "", "{}"]);
        assert!(found(TEXT, "twice").is_err());
    }

    #[test]
    fn a_place_ends_at_the_first_line_that_fits() {
        assert_eq!(found(TEXT, "two: lock .. say"), Ok((4, 5)));
        assert!(found(TEXT, "say .. lock").is_err());
    }
}

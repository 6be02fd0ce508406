//! A place in source code, named by the words of its code. Whatever speaks of a line, such as a player of the book, a game or a known
//! mistake, names it like this and does not quote it: a comment, an argument or a line that is broken elsewhere changes no name.
//!
//! - `wake`: the one line whose code has this word. `fetch_or SCHEDULED`: the one line that has both, or if there are several, the one
//!   that has no other words.
//! - `drop state .. wake`: all lines from that one to the first after it that has `wake`.
//! - `poll: match`: the one between `// ANCHOR: poll` and its end.
//!
//! A word is what Rust takes for a name, a keyword or a number. What is in a comment doesn't count.

use std::ops::RangeInclusive;

/// Where such a place is: the first and the last of its lines, counted from 0.
///
/// ```
/// let lines = ["let state = self.state.lock();", "// Calls no waker.", "drop(state);", "waker.wake();"];
/// assert_eq!(kit::source::find(&lines, "lock"), Ok(0..=0));
/// assert_eq!(kit::source::find(&lines, "drop .. wake"), Ok(2..=3));
/// assert_eq!(kit::source::find(&lines, "state").unwrap_err(), "several lines have the words `state`: 1, 3");
/// assert_eq!(kit::source::find(&lines, "no_waker").unwrap_err(), "no line has the words `no_waker`");
/// ```
///
/// # Errors
///
/// If there is no such line, or more than one.
pub fn find(lines: &[&str], place: &str) -> Result<RangeInclusive<usize>, String> {
    let (anchor, place) = place.split_once(": ").unwrap_or(("", place));
    let (first, last) = place.split_once(" .. ").unwrap_or((place, ""));
    let is_in = inside(lines, anchor)?;
    let has = |number: &usize, wanted: &str| {
        let words: Vec<&str> = words(lines[*number]).collect();
        is_in.contains(number) && wanted.split(' ').all(|word| words.contains(&word))
    };
    let found: Vec<usize> = (0..lines.len()).filter(|it| has(it, first)).collect();
    let has_no_others =
        |it: &&usize| words(lines[**it]).all(|word| first.split(' ').any(|it| it == word));
    let alone: Vec<usize> = found.iter().filter(has_no_others).copied().collect();
    let begin = match (&found[..], &alone[..]) {
        ([one], _) | (_, [one]) => *one,
        ([], _) => return Err(format!("no line has the words `{first}`")),
        _ => {
            let numbers: Vec<String> = found.iter().map(|it| (it + 1).to_string()).collect();
            let numbers = numbers.join(", ");
            return Err(format!("several lines have the words `{first}`: {numbers}"));
        }
    };
    if last.is_empty() {
        return Ok(begin..=begin);
    }
    let end = (begin + 1..lines.len()).find(|it| has(it, last));
    let end = end.ok_or_else(|| format!("no line after `{first}` has the words `{last}`"))?;
    Ok(begin..=end)
}

/// The lines between an anchor and its end, or all.
fn inside(lines: &[&str], anchor: &str) -> Result<RangeInclusive<usize>, String> {
    if anchor.is_empty() {
        return Ok(0..=lines.len());
    }
    let mark = |mark: String| lines.iter().position(|line| line.trim() == mark);
    let begin = mark(format!("// ANCHOR: {anchor}"));
    let end = mark(format!("// ANCHOR_END: {anchor}"));
    match (begin, end) {
        (Some(begin), Some(end)) => Ok(begin..=end),
        _ => Err(format!("there is no `ANCHOR: {anchor}` with its end")),
    }
}

/// The words of a line's code.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    words_of(code(line))
}

/// The words of a text, of its comments too.
pub fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    words.filter(|it| !it.is_empty())
}

/// A line without the comment at its end, and without spaces around it.
pub fn code(line: &str) -> &str {
    let mut is_text = false;
    let mut before = ' ';
    for (at, it) in line.char_indices() {
        match it {
            '"' if before != '\\' && before != '\'' => is_text = !is_text,
            '/' if before == '/' && !is_text => return line[..at - 1].trim(),
            _ => {}
        }
        before = it;
    }
    line.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 7] = [
        "// ANCHOR: one",
        "let it = lock(); // twice",
        "// ANCHOR_END: one",
        "// ANCHOR: two",
        "let it = lock();",
        "say(\"a // b\");",
        "// ANCHOR_END: two",
    ];

    #[test]
    fn an_anchor_tells_two_lines_apart() {
        assert!(find(&LINES, "lock").is_err());
        assert_eq!(find(&LINES, "two: lock"), Ok(4..=4));
        assert_eq!(
            find(&LINES, "one: say").unwrap_err(),
            "no line has the words `say`"
        );
        assert_eq!(
            find(&LINES, "three: lock").unwrap_err(),
            "there is no `ANCHOR: three` with its end"
        );
    }

    #[test]
    fn of_several_lines_the_one_without_other_words_is_meant() {
        let lines = ["state = Waiting(id);", "Waiting(id) => id,", "drop(id);"];
        assert_eq!(find(&lines, "Waiting id"), Ok(1..=1));
        assert!(find(&lines, "id").is_err());
    }

    #[test]
    fn a_comment_has_no_words() {
        assert_eq!(code("waker.wake(); // it may panic"), "waker.wake();");
        assert_eq!(code("say(\"a // b\"); // c"), "say(\"a // b\");");
        assert!(find(&LINES, "twice").is_err());
    }

    #[test]
    fn a_place_ends_at_the_first_line_that_fits() {
        assert_eq!(find(&LINES, "two: lock .. say"), Ok(4..=5));
        assert!(find(&LINES, "say .. lock").is_err());
    }
}

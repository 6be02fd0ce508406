//! Anchors: the marks `ANCHOR: name` and `ANCHOR_END: name`, each alone in a comment. A page includes what is between the two, and a
//! carried part is what is between them.

use std::ops::Range;

use crate::source;

/// What is between an anchor and its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The name of the anchor.
    pub name: &'a str,
    /// Its lines, with the marks that are inside.
    pub text: &'a str,
    /// Where its first line begins in the text that has it.
    pub begin: usize,
}

/// A line that is no mark.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Counted from 0. Marks count, too.
    pub number: usize,
    /// All of it, without its end.
    pub text: &'a str,
    /// Its [code](source::code).
    pub code: &'a str,
    /// The anchors that it is in.
    pub anchors: Vec<&'a str>,
}

/// The part of this name.
///
/// # Errors
///
/// If the text doesn't have the anchor once, and its end after that. `{path} {error}` is a sentence.
pub fn part<'a>(text: &'a str, name: &str) -> Result<Part<'a>, String> {
    let mut its_marks = marks(text).into_iter().filter(|mark| mark.name == name);
    match [its_marks.next(), its_marks.next(), its_marks.next()] {
        [Some(begin), Some(end), None] if begin.kind == Kind::Begin && end.kind == Kind::End => {
            let inside = begin.span.end..end.span.start;
            Ok(Part {
                name: begin.name,
                begin: inside.start,
                text: &text[inside],
            })
        }
        _ => Err(no_part(name)),
    }
}

/// What is said of an anchor that isn't there, isn't there once, or has no end.
pub(crate) fn no_part(name: &str) -> String {
    format!("must have `ANCHOR: {name}` once, then its end")
}

/// All parts, in the order in which they begin.
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let begins = marks(text).into_iter();
    let begins = begins.filter(|mark| mark.kind == Kind::Begin);
    begins
        .filter_map(|mark| part(text, mark.name).ok())
        .collect()
}

/// The marks that belong to no part: the line of each, counted from 0, and what is wrong.
pub fn faults(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for mark in marks(text) {
        if let Err(fault) = part(text, mark.name) {
            found.push((mark.line, fault));
        }
    }
    found
}

/// The lines of a text without its marks.
///
/// ```
/// let text = "one\n// ANCHOR: a\ntwo\n// ANCHOR_END: a\n";
/// let lines = kit::anchor::lines(text);
/// assert_eq!((lines[1].number, lines[1].text), (2, "two"));
/// assert_eq!((&lines[0].anchors[..], &lines[1].anchors[..]), (&[][..], &["a"][..]));
/// ```
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let parts = parts(text);
    let mut begin = 0;
    let mut lines = Vec::new();
    let wholes = text.split_inclusive('\n').zip(source::code(text));
    for (number, (whole, code)) in wholes.enumerate() {
        let line = whole.trim_end_matches(['\n', '\r']);
        if mark_in(line).is_none() {
            let has_it =
                |part: &&Part<'_>| (part.begin..part.begin + part.text.len()).contains(&begin);
            lines.push(Line {
                number,
                text: line,
                code,
                anchors: parts.iter().filter(has_it).map(|part| part.name).collect(),
            });
        }
        begin += whole.len();
    }
    lines
}

struct Mark<'a> {
    kind: Kind,
    name: &'a str,
    /// The number of its line, counted from 0.
    line: usize,
    /// Where its line is in the text, with the line's end.
    span: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Begin,
    End,
}

fn marks(text: &str) -> Vec<Mark<'_>> {
    let mut begin = 0;
    let mut marks = Vec::new();
    for (line, whole) in text.split_inclusive('\n').enumerate() {
        let span = begin..begin + whole.len();
        begin = span.end;
        if let Some((kind, name)) = mark_in(whole) {
            marks.push(Mark {
                kind,
                name,
                line,
                span,
            });
        }
    }
    marks
}

/// A sentence about anchors, such as this crate's, is no mark: it has other words in its line.
fn mark_in(line: &str) -> Option<(Kind, &str)> {
    let line = line.trim();
    let comment = match line.strip_prefix("<!--") {
        Some(comment) => comment.strip_suffix("-->")?,
        None => line.strip_prefix("//").or(line.strip_prefix('#'))?,
    };
    let comment = comment.trim();
    let (kind, name) = match comment.strip_prefix("ANCHOR: ") {
        Some(name) => (Kind::Begin, name),
        None => (Kind::End, comment.strip_prefix("ANCHOR_END: ")?),
    };
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    name.chars().all(is_of_name).then_some((kind, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
zero
// ANCHOR: outer
one
    # ANCHOR: inner
two
    # ANCHOR_END: inner
// ANCHOR_END: outer
// ANCHOR: open
<!-- ANCHOR_END: other -->
/// Between `// ANCHOR: words` and its end.
";

    #[test]
    fn a_part_has_what_is_between_its_marks() {
        let inner = part(TEXT, "inner").unwrap();
        assert_eq!(inner.text, "two\n");
        assert!(TEXT[inner.begin..].starts_with("two"));
        let names: Vec<&str> = parts(TEXT).iter().map(|part| part.name).collect();
        assert_eq!(names, ["outer", "inner"]);
    }

    #[test]
    fn a_misspelt_name_has_one_complaint() {
        let complaint = "must have `ANCHOR: open` once, then its end";
        assert_eq!(part(TEXT, "open").unwrap_err(), complaint);
        let found = faults(TEXT);
        assert_eq!(found[0], (7, complaint.to_owned()));
        assert_eq!(found[1].0, 8);
        assert_eq!(found.len(), 2, "{found:?}");
        let twice = TEXT.to_owned() + TEXT;
        assert!(part(&twice, "outer").is_err());
    }

    #[test]
    fn a_line_is_in_each_anchor_around_it() {
        let lines = lines(TEXT);
        let anchors = |of: &str| &lines.iter().find(|line| line.text == of).unwrap().anchors;
        assert!(anchors("zero").is_empty());
        assert_eq!(*anchors("one"), ["outer"]);
        assert_eq!(*anchors("two"), ["outer", "inner"]);
        assert_eq!(lines.last().unwrap().number, 9);
    }
}

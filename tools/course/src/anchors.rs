//! `ANCHOR: name` and `ANCHOR_END: name` in a file.

use std::sync::LazyLock;

use regex::Regex;

/// A mark in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) end: bool,
}

static MARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"ANCHOR(_END)?:\s*([\w-]+)").expect("it is a regex"));

/// The mark that this line is.
pub(crate) fn mark(line: &str) -> Option<(bool, &str)> {
    let found = MARK.captures(line)?;
    let name = found.get(2).map_or("", |it| it.as_str());
    Some((found.get(1).is_some(), name))
}

/// All marks of a text.
pub(crate) fn marks(text: &str) -> Vec<Mark> {
    let lines = (1..).zip(text.lines());
    lines
        .filter_map(|(line, text)| {
            let (end, name) = mark(text)?;
            let name = name.to_owned();
            Some(Mark { line, name, end })
        })
        .collect()
}

/// What is wrong with this anchor, if it is.
pub(crate) fn fault(marks: &[Mark], name: &str) -> Option<String> {
    let lines = |end| -> Vec<usize> {
        let these = marks.iter().filter(|it| it.name == name && it.end == end);
        these.map(|it| it.line).collect()
    };
    match (&lines(false)[..], &lines(true)[..]) {
        ([], _) => Some("has no such anchor".to_owned()),
        ([_, second, ..], _) => Some(format!("has this anchor again in line {second}")),
        (_, [_, second, ..]) => Some(format!("has the end of this anchor again in line {second}")),
        ([start], []) => Some(format!("does not end this anchor of line {start}")),
        ([start], [end]) if end < start => {
            Some(format!("ends this anchor in line {end}, before it begins"))
        }
        ([_], [_]) => None,
    }
}

//! `{{#include …}}`, as mdBook reads it.

use std::{path::Path, sync::LazyLock};

use regex::Regex;

use crate::{
    anchors::mark,
    text::{clean, line_of, read},
};

/// One `{{#…}}` of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// The line it is on.
    pub line: usize,
    /// `include` or `rustdoc_include`, or another of mdBook's.
    pub name: String,
    /// The file, from the folder of the page.
    pub file: String,
    /// What stands behind the file's name and a colon: an anchor, or lines.
    pub part: Option<String>,
}

static DIRECTIVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\\)?\{\{\s*#([a-zA-Z0-9_]+)\s+([^}\s:]+)(?::([^}\s]*))?[^}]*\}\}")
        .expect("it is a regex")
});

/// All of them in a text, without those that a backslash escapes.
pub fn directives(text: &str) -> Vec<Directive> {
    let found = DIRECTIVE.captures_iter(text);
    found
        .filter(|found| found.get(1).is_none())
        .map(|found| Directive {
            line: line_of(text, found.get(0).map_or(0, |it| it.start())),
            name: found[2].to_owned(),
            file: found[3].to_owned(),
            part: found.get(4).map(|it| it.as_str().to_owned()),
        })
        .collect()
}

/// The single directive that is all of this text, if it is one.
pub fn only(text: &str) -> Option<Directive> {
    let text = text.trim();
    let found = DIRECTIVE.find(text)?;
    (found.len() == text.len()).then(|| directives(text).pop())?
}

/// What it puts in its place; `None` if the file cannot be read.
pub fn included(folder: &Path, directive: &Directive) -> Option<String> {
    let text = read(&clean(&folder.join(&directive.file))).ok()?;
    Some(match &directive.part {
        Some(anchor) => anchored(&text, anchor),
        None => text,
    })
}

/// The text with everything in it that it includes, as mdBook makes its pages.
pub fn expanded(folder: &Path, text: &str) -> String {
    let expand = |found: &regex::Captures<'_>| {
        let directive = only(&found[0]);
        directive
            .and_then(|it| included(folder, &it))
            .unwrap_or_default()
    };
    DIRECTIVE.replace_all(text, expand).into_owned()
}

fn anchored(text: &str, anchor: &str) -> String {
    let is = |line: &str, end| mark(line) == Some((end, anchor));
    let lines = text.lines().skip_while(|line| !is(line, false));
    let inside = lines.take_while(|line| !is(line, true));
    let shown: Vec<&str> = inside.filter(|line| mark(line).is_none()).collect();
    shown.join("\n")
}

//! The minutes that a page takes to read, by one rule: 200 words in a minute, or 15 lines of a listing, or one figure.

use std::sync::LazyLock;

use kit::anchor;
use regex::Regex;

use crate::{
    Project,
    pages::{INCLUDE, included, regex},
};

/// The table of minutes, up to the figure that is written.
static TABLE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^(\| Minutes to read \|.*\n\|.*\n\| )\d+"));
/// What is on a page beside its prose.
static REST: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?s)```.*?```|\{\{.*?\}\}|<!--.*?-->|</?[[:alpha:]][^<>]*>"));

/// The page with its minutes.
pub(super) fn filled(project: &Project, path: &str, page: &str) -> String {
    let table = format!("${{1}}{}", minutes(project, path));
    TABLE.replace(page, table).into_owned()
}

/// Rounded up to five. What is behind *In the real world* is to be looked up, so it doesn't count.
pub(super) fn minutes(project: &Project, path: &str) -> usize {
    let page = project.text(path).unwrap_or_default();
    let page = page
        .split("\n## In the real world")
        .next()
        .unwrap_or_default();
    let words = words(page);
    let (mut lines, mut figures) = (0, 0);
    for it in INCLUDE.captures_iter(page) {
        let file = included(path, &it[2]);
        let text = project.text(&file).unwrap_or_default();
        let text = match it.get(3) {
            Some(anchor) => anchor::part(text, anchor.as_str()).map_or("", |part| part.text),
            None => text,
        };
        match file.rsplit('.').next() {
            // A run that the reader decides step by step.
            Some("svg") if file.contains("/scheduler-") => figures += 3,
            Some("svg") => figures += 1,
            Some("rs" | "txt" | "stderr") => lines += text.lines().count(),
            _ => {} // the exercises and the tables, which are not read from top to bottom
        }
    }
    // In six hundredths of a minute.
    (words * 3 + lines * 40 + figures * 600).div_ceil(600 * 5) * 5
}

/// The words of the prose.
fn words(page: &str) -> usize {
    REST.replace_all(page, "").split_whitespace().count()
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn only_what_is_no_prose_is_left_out() {
        let page = "Shift by `1 << n`.\n\n<div class=\"at-08\">{{#include a.svg}}</div>\n<!-- BEGIN x -->\n```rust\nlet x;\n```\nFour > two.";
        assert_eq!(words(page), 8);
    }
}

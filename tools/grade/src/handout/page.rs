//! A page without what is the teacher's.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::list::List;

/// A passage of a page that is for the teacher.
static MARKED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?s)\n?<!-- BEGIN for teachers -->.*?<!-- END for teachers -->"));
/// A link, up to its anchor.
static LINK: LazyLock<Regex> = LazyLock::new(|| regex(r"\]\(([^)#\s]+)[^)]*\)"));

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("it is a regex")
}

/// A page without the passages that are marked, and without the rows of tables that link to what learners don't get. Another link of
/// that kind is a fault.
pub(super) fn of_learners(path: &str, text: &str, list: &List, faults: &mut Vec<String>) -> String {
    let is_dead = |line: &str| links(path, line).find(|link| list.lacks(link));
    // The lines keep their numbers until the faults are named.
    let empty_lines = |marked: &Captures<'_>| "\n".repeat(marked[0].matches('\n').count());
    let numbered = MARKED.replace_all(text, empty_lines);
    for (number, line) in (1..).zip(numbered.lines()) {
        if let (Some(dead), false) = (is_dead(line), is_row(line)) {
            let how =
                "put it between `<!-- BEGIN for teachers -->` and `<!-- END for teachers -->`";
            faults.push(format!(
                "{path}:{number}: links to {dead}, which is not handed out: {how}"
            ));
        }
    }
    let text = unmarked(text);
    let lines = text
        .lines()
        .filter(|line| !is_row(line) || is_dead(line).is_none());
    lines.map(|line| format!("{line}\n")).collect()
}

/// A page without the passages that are marked.
pub(super) fn unmarked(text: &str) -> String {
    MARKED.replace_all(text, "").into_owned()
}

/// The paths from the root that a page links to, as far as they are in the project.
pub(super) fn links(page: &str, text: &str) -> impl Iterator<Item = String> {
    let found = LINK.captures_iter(text);
    found.map(|link| course::pages::included(page, &link[1]))
}

/// Of a table.
fn is_row(line: &str) -> bool {
    line.starts_with('|')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_loses_what_is_marked_and_no_dead_link_stays() {
        let mut list = List::default();
        list.add("book/src/quiz.md", false);
        list.add("exercises/solutions/01/x.rs", false);
        list.add("book/src/b.md", true);
        let page = |text: &str| {
            let mut faults = Vec::new();
            let page = of_learners("book/src/a.md", text, &list, &mut faults);
            (page, faults)
        };
        let marked = "one\n<!-- BEGIN for teachers -->\n[A quiz](quiz.md#key)\n<!-- END for teachers -->\ntwo\n";
        assert_eq!(page(marked), ("one\ntwo\n".to_owned(), Vec::new()));
        let row = "| [x](../../exercises/solutions/01/x.rs) | x |\n| [y](b.md) | y |\n";
        assert_eq!(page(row), ("| [y](b.md) | y |\n".to_owned(), Vec::new()));
        let (_, faults) = page(&format!("{marked}\nSee [the quiz](quiz.md).\n"));
        assert!(
            faults[0].starts_with("book/src/a.md:7: links to book/src/quiz.md, "),
            "{faults:?}"
        );
        let (_, faults) = page("[All](../../exercises/solutions), [elsewhere](https://a.b/c)\n");
        assert_eq!(faults.len(), 1, "{faults:?}");
    }
}

//! The `*Test:*` lines: the function that each names is there, is a test, and can be read.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;

use crate::{Book, Complaint, Page, literals::without_comments, text::read};

use super::on;

/// A `*Test:*` line.
pub(super) struct Test {
    pub(super) line: usize,
    pub(super) function: String,
    pub(super) path: String,
}

static TEST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\*Test:\* `(\w+)` in `([^`]+)`\s*\\?\s*$").expect("it is a regex")
});

static NAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[\p{L}_]\w*").expect("it is a regex"));

static ITEM: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(fn|const|static) (\w+)").expect("it is a regex"));

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let mut found = Vec::new();
    for page in &book.pages {
        for test in tests(page) {
            found.extend(fault(book, &test).map(|says| on(page, test.line, says)));
        }
        for (line, _) in (1..).zip(page.text.lines()).filter(|(_, line)| {
            line.trim_start().starts_with("*Test:*") && !TEST.is_match(line.trim_start())
        }) {
            let says = "write the line so: *Test:* `function` in `path/from/the/root.rs`";
            found.push(on(page, line, says));
        }
    }
    found
}

/// The `*Test:*` lines of a page.
pub(super) fn tests(page: &Page) -> Vec<Test> {
    let lines = (1..).zip(page.text.lines());
    lines
        .filter_map(|(line, text)| {
            let found = TEST.captures(text.trim_start())?;
            let (function, path) = (found[1].to_owned(), found[2].to_owned());
            Some(Test {
                line,
                function,
                path,
            })
        })
        .collect()
}

/// What a test says: its function, and the functions and constants of its file that it names, without comments.
pub(super) fn body(book: &Book, test: &Test) -> Option<String> {
    let text = read(&book.root.join(&test.path)).ok()?;
    let lines: Vec<&str> = text.lines().collect();
    let body = without_comments(&item(&lines, find(&lines, &test.function)?)?);
    let names: BTreeSet<&str> = NAME.find_iter(&body).map(|it| it.as_str()).collect();
    let used = (0..).zip(&lines).filter(|(_, line)| {
        let found = ITEM
            .captures(line)
            .map(|it| it.get(2).map_or("", |it| it.as_str()));
        found.is_some_and(|name| name != test.function && names.contains(name))
    });
    let used = used.filter_map(|(start, _)| Some(without_comments(&item(&lines, start)?)));
    let used: String = used.collect::<Vec<_>>().join("\n");
    Some(format!("{body}\n{used}"))
}

/// The function or the constant that begins in this line.
fn item(lines: &[&str], start: usize) -> Option<String> {
    if lines[start].trim_end().ends_with(';') {
        return Some(lines[start].to_owned());
    }
    let indent = lines[start].len() - lines[start].trim_start().len();
    let ends = ["}", "};", "];", ");"].map(|end| format!("{}{end}", " ".repeat(indent)));
    let ends = |line: &&str| ends.iter().any(|end| end == line);
    let length = lines[start..].iter().position(ends)?;
    Some(lines[start..=start + length].join("\n"))
}

fn find(lines: &[&str], function: &str) -> Option<usize> {
    let name = Regex::new(&format!(r"\bfn {function}\b")).expect("a function's name is no regex");
    lines.iter().position(|line| name.is_match(line))
}

fn fault(book: &Book, test: &Test) -> Option<String> {
    let Test { function, path, .. } = test;
    let Ok(text) = read(&book.root.join(path)) else {
        return Some(format!(
            "`{path}` is not there: name the file of the test, from the root"
        ));
    };
    let lines: Vec<&str> = text.lines().collect();
    let Some(place) = find(&lines, function) else {
        return Some(format!(
            "`{path}` has no `fn {function}`: name the test that asserts this"
        ));
    };
    let mut above = lines[..place].iter().rev();
    let attribute = above
        .by_ref()
        .take_while(|line| !line.is_empty() && !line.ends_with('}'));
    let is_test = attribute.into_iter().any(|line| line.contains("#[test]"));
    (!is_test && !path.starts_with("lab/"))
        .then(|| format!("`fn {function}` in `{path}` is no test: there is no #[test] over it"))
}

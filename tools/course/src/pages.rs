//! What the pages of the book include and name is there.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::{Captures, Regex};

use crate::Project;

/// The programs that must not compile.
const ERRORS: &str = "tools/course/errors/";
const SUMMARY: &str = "book/src/SUMMARY.md";

/// What is wrong with the pages of the book.
pub fn complaints(project: &Project) -> Vec<String> {
    let (mut found, mut used) = (Vec::new(), BTreeSet::new());
    // A picture that can be stepped through has a listing of its own.
    let pictures = project.with("book/src/pictures/", ".svg");
    for (path, text) in project.with("book/src/", ".md").chain(pictures) {
        let mut says = |at: usize, what: String| {
            let line = text[..at].matches('\n').count() + 1;
            found.push(format!("{path}:{line}: {what}"));
        };
        for it in INCLUDE.captures_iter(text) {
            if let Some(fault) = no_include(project, path, &it, &mut used) {
                says(it.get_match().start(), fault);
            }
        }
        if path.ends_with(".svg") {
            continue;
        }
        for it in FENCED.captures_iter(text) {
            let at = it.get_match().start();
            if let Some(fault) = no_listing(project, path, &text[..at], &it[1], it[2].trim()) {
                says(at, fault);
            }
        }
        for it in TEST.captures_iter(text) {
            let named = it.get(1).zip(it.get(2));
            let is_there = named.is_some_and(|(name, file)| {
                let file = project.text(file.as_str()).unwrap_or_default();
                file.contains(&format!("fn {}(", name.as_str()))
            });
            if !is_there {
                says(
                    it.get_match().start(),
                    format!(
                        "{}: there is no such function: has it been renamed?",
                        &it[0]
                    ),
                );
            }
        }
    }
    left_over(project, &used, &mut found);
    summary(project, &mut found);
    found
}

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("it is a regex")
}

static INCLUDE: LazyLock<Regex> = LazyLock::new(|| regex(r"\{\{#(\w+) ([^}:]+)(?::([^}]*))?\}\}"));
static ANCHOR: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)ANCHOR(_END)?: ([\w-]+)"));
/// A block of code on a page: what is behind its first fence, and its lines.
static FENCED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?ms)^ *```([^\n]*)\n(.*?)(?:^ *```$|\z)"));
static TEST: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^\*Test:(?:\* `(\w+)` in `([^`]+)`)?.*$"));
/// A file that a page names in backticks, in italics, or by including a listing of it.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?m)^\*Test:.*$|(?:[`*]|include [./]+)((?:step|lab/|tools/|exercises/)[\w/.-]+\.rs)[`*:}]",
    )
});

/// The path from the root of a file that a page includes.
fn included(page: &str, file: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Why an include finds no text, of which mdBook says nothing. `used` gets the text of the file, and the anchor.
fn no_include<'a>(
    project: &'a Project,
    page: &str,
    include: &Captures<'_>,
    used: &mut BTreeSet<(&'a str, String)>,
) -> Option<String> {
    let path = included(page, &include[2]);
    let Some(file) = project.text(&path) else {
        return Some(format!("there is no {path}: correct the include"));
    };
    let anchor = include.get(3)?.as_str();
    used.insert((file, anchor.to_owned()));
    let marks = ANCHOR.captures_iter(file).filter(|it| &it[2] == anchor);
    let ends: Vec<bool> = marks.map(|it| it.get(1).is_some()).collect();
    (ends != [false, true])
        .then(|| format!("{path} must have `ANCHOR: {anchor}` once, and its end after it: correct the file or the include"))
}

/// Why a block shows something else than a file that is compiled or that a program wrote.
fn no_listing(
    project: &Project,
    page: &str,
    before: &str,
    info: &str,
    body: &str,
) -> Option<String> {
    if matches!(info, "sh" | "text,drawing") {
        return None;
    }
    let include = INCLUDE
        .captures(body)
        .filter(|it| it[0].len() == body.len());
    let Some(include) = include else {
        return Some("this is pasted: make the whole block one {{#include FILE}} or {{#include FILE:ANCHOR}}, or `sh` for commands".into());
    };
    let path = included(page, &include[2]);
    let text = project.text(&path)?;
    // The file that the section has named last.
    let section = before.rsplit("\n#").next().unwrap_or_default();
    let named = NAMED
        .captures_iter(section)
        .filter_map(|it| it.get(1))
        .last();
    let is_named = named.is_some_and(|it| it.as_str() == path);
    let is_rust = path.ends_with(".rs");
    let right = match path.starts_with(ERRORS) {
        true => "rust,compile_fail",
        false => "rust",
    };
    match info {
        _ if is_rust && !is_named => Some(format!(
            "nothing says which file this is: write `*{path}*` above the listing"
        )),
        _ if is_rust => (info != right).then(|| format!("{path} is no `{info}`: write `{right}`")),
        "console" if !text.starts_with("$ ") => Some(format!(
            "{path} must begin with its command: `$ cargo run …`"
        )),
        "console" | "text" | "toml" => None,
        _ => Some(format!(
            "`{info}` is no form of code in this book: see tools/course/README.md"
        )),
    }
}

/// No anchor of a stage is left over. A carried file has the anchors of the original, and is the same text.
fn left_over(project: &Project, used: &BTreeSet<(&str, String)>, found: &mut Vec<String>) {
    for (path, text) in project.with("step", ".rs") {
        let anchors = ANCHOR.captures_iter(text).filter(|it| it.get(1).is_none());
        for it in anchors.filter(|it| !used.contains(&(text, it[2].to_owned()))) {
            found.push(format!(
                "{path}: no page includes `{}`: include it, or take the anchor out",
                &it[2]
            ));
        }
    }
}

/// Each page that the summary names is there, and it names each that is there.
fn summary(project: &Project, found: &mut Vec<String>) {
    let summary = project.text(SUMMARY).unwrap_or_default();
    let named = summary
        .split("](")
        .skip(1)
        .filter_map(|it| it.split(')').next());
    let named = named
        .filter(|it| !it.is_empty())
        .map(|it| format!("book/src/{it}"));
    let named: BTreeSet<String> = named.chain([SUMMARY.to_owned()]).collect();
    let gone = named.iter().filter(|it| project.text(it).is_none());
    found.extend(gone.map(|it| format!("{SUMMARY}: there is no {it}: name a page that is there")));
    let there = project.with("book/src/", ".md").map(|(path, _)| path);
    let more = there.filter(|it| !named.contains(*it));
    found.extend(more.map(|it| format!("{it}: {SUMMARY} does not name it: add it")));
}

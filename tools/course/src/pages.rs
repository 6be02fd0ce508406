//! What the pages of the book include and name is there.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::Project;

/// The programs that must not compile.
const ERRORS: &str = "tools/course/errors/";
const SUMMARY: &str = "book/src/SUMMARY.md";

/// What is wrong with the pages of the book.
pub fn complaints(project: &Project) -> Vec<String> {
    let (mut found, summary) = (Vec::new(), project.text(SUMMARY).unwrap_or_default());
    // A picture that can be stepped through has a listing of its own.
    let pictures = project.with("book/src/pictures/", ".svg");
    for (path, text) in project.with("book/src/", ".md").chain(pictures) {
        let mut says = |at: usize, what: String| {
            let line = kit::files::line(text, at);
            found.push(format!("{path}:{line}: {what}"));
        };
        for it in INCLUDE.captures_iter(text) {
            if let Some(fault) = no_include(project, path, &it) {
                says(it.get_match().start(), fault);
            }
        }
        if path.ends_with(".svg") {
            continue;
        }
        // That each page that the summary names is there, mdBook sees. What is in a folder is a part of a page.
        let name = &path["book/src/".len()..];
        let is_page = path != SUMMARY && !name.contains('/');
        if is_page && !summary.contains(&format!("]({name})")) {
            says(0, format!("{SUMMARY} does not name it: add it"));
        }
        for it in FENCED.captures_iter(text) {
            let at = it.get_match().start();
            if let Some(fault) = no_listing(project, path, &text[..at], &it) {
                says(at, fault);
            }
        }
        for it in CLAUSES.captures_iter(text) {
            for clause in it[1].split('`').skip(1).step_by(2) {
                let name = format!("name: \"{clause}\"");
                let mut contract = project.with("lab/contract/src/", ".rs");
                if !contract.any(|(_, file)| file.contains(&name)) {
                    let fault = format!("no such clause: `{clause}`");
                    says(it.get_match().start(), fault);
                }
            }
        }
        let is_test = |it: &Captures<'_>| !CLAUSES.is_match(&it[0]);
        for it in TEST.captures_iter(text).filter(is_test) {
            let [name, file] = [1, 2].map(|part| it.get(part).map_or("", |it| it.as_str()));
            let file = project.text(file).unwrap_or_default();
            if !file.contains(&format!("fn {name}(")) {
                let fault = format!("no such function: {}", &it[0]);
                says(it.get_match().start(), fault);
            }
        }
    }
    found
}

pub(crate) fn regex(text: &str) -> Regex {
    Regex::new(text).expect("it is a regex")
}

pub(crate) static INCLUDE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\{\{#(\w+) ([^}:]+)(?::([^}]*))?\}\}"));
static ANCHOR: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)ANCHOR(_END)?: ([\w-]+)"));
/// A block of code on a page: what is behind its first fence, and its lines.
static FENCED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?ms)^ *```([^\n]*)\n(.*?)(?:^ *```$|\z)"));
static TEST: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^\*Test:(?:\* `(\w+)` in `([^`]+)`)?.*$"));
/// What holds a claim may be a clause of the contract rather than a test.
static CLAUSES: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^\*Test:\* the clauses? (.+) of \[the contract\]"));

/// The path from the root of a file that a page includes or links to.
pub fn included(page: &str, file: &str) -> String {
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

/// Why an include finds no text, of which mdBook says nothing.
fn no_include(project: &Project, page: &str, include: &Captures<'_>) -> Option<String> {
    let path = included(page, &include[2]);
    let Some(file) = project.text(&path) else {
        return Some(format!("there is no {path}: correct the include"));
    };
    let anchor = include.get(3)?.as_str();
    let marks = ANCHOR.captures_iter(file).filter(|it| &it[2] == anchor);
    let ends: Vec<bool> = marks.map(|it| it.get(1).is_some()).collect();
    (ends != [false, true])
        .then(|| format!("{path} must have `ANCHOR: {anchor}` once, then its end"))
}

/// Why a block shows something else than a file that is compiled or that a program wrote.
fn no_listing(project: &Project, page: &str, before: &str, it: &Captures<'_>) -> Option<String> {
    let (info, body) = (&it[1], it[2].trim());
    if matches!(info, "sh" | "text,drawing") {
        return None;
    }
    let Some(include) = INCLUDE.captures(body).filter(|it| it[0] == *body) else {
        return Some("this is pasted: include it from a file, or write `sh` for commands".into());
    };
    let path = included(page, &include[2]);
    let text = project.text(&path)?;
    let section = before.rsplit("\n#").next().unwrap_or_default();
    if path.ends_with(".rs") && !section.contains(&path) {
        return Some(format!("no file is named: write `*{path}*` above this"));
    }
    let right = match path.rsplit('.').next() {
        Some("rs") if path.starts_with(ERRORS) => "rust,compile_fail",
        Some("rs") => "rust",
        Some("toml") if info != "text" => "toml",
        _ if text.starts_with("$ ") => "console",
        _ => "text",
    };
    (info != right).then(|| format!("{path} is no `{info}`: write `{right}`"))
}

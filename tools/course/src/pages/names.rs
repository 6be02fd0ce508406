//! What a Markdown file names in backticks or in a command is there: packages, programs, tests, exhibits, exercises, files.
//!
//! One rule for all of them: such a name is a word of a path or of the code. So nothing here has to know what a command
//! means.

use std::{collections::HashSet, sync::LazyLock};

use regex::Regex;

use crate::Project;

/// Where a page speaks of other code, whose short names nothing here can check.
const ELSEWHERE: [&str; 2] = ["## In the real world", "## From the documents"];
const WHERE_NEXT: &str = "book/src/where-next.md";
/// There, short names are those of the documents, and a name of four words is a test.
const DOCUMENTS: &str = "book/src/documents.md";

/// The words of the paths of the project's files, and the names in all that is code.
pub(super) fn known(project: &Project) -> HashSet<&str> {
    let text = [".md", ".txt", ".svg", ".json"];
    let code = project.files.iter();
    let code =
        code.filter(|(path, _)| !text.iter().any(|end| path.ends_with(end)) && *path != CASES);
    let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let paths = project.files.keys();
    let words = paths.flat_map(|path| path.split(move |c| !in_name(c)));
    let names = code.flat_map(|(_, text)| text.split(move |c| !in_name(c)));
    let is_name = |word: &&str| word.bytes().any(|b| !b.is_ascii_alphabetic());
    words.chain(names.filter(is_name)).collect()
}

/// The changes that a test makes, and the names in them are wrong.
const CASES: &str = "tools/course/tests/cases.toml";

static CODE: LazyLock<Regex> = LazyLock::new(|| regex(r"`([^`]+)`"));
/// A name of two words or more, a defect, or what follows an option that takes a name.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:-p|--test|--bin|--example|museum --) ([a-z][\w-]*)|(?:^|[^\w<$-])([a-z]\w*[_-][\w-]*\w|D\d\d[ab]?)\b",
    )
});
static TEST: LazyLock<Regex> = LazyLock::new(|| regex(r"^\*Test:\* `(\w+)` in `([^`]+)`"));

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("it is a regex")
}

/// What a file names and is not there.
pub(super) fn check(
    project: &Project,
    page: &str,
    text: &str,
    known: &HashSet<&str>,
    found: &mut Vec<String>,
) {
    let mut elsewhere = page == WHERE_NEXT;
    let mut fence = None;
    for (number, line) in (1..).zip(text.lines()) {
        let mut says = |what: &str| {
            found.push(format!(
                "{page}:{number}: nothing here is called `{what}`: has it been renamed?"
            ));
        };
        if let Some(info) = line.trim_start().strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(info) };
        } else if line.starts_with("## ") {
            elsewhere = page == WHERE_NEXT || ELSEWHERE.contains(&line);
        } else if let Some(test) = line.strip_prefix("*Test:*").map(|_| TEST.captures(line)) {
            let is_there = |it: regex::Captures<'_>| {
                let file = project.text(&it[2]).unwrap_or_default();
                file.contains(&format!("fn {}(", &it[1]))
            };
            if !test.is_some_and(is_there) {
                says(line);
            }
        } else {
            let codes: Vec<&str> = match fence {
                Some("sh") => line.split(" #").take(1).collect(),
                Some(_) => continue,
                None => CODE
                    .captures_iter(line)
                    .filter_map(|it| Some(it.get(1)?.as_str()))
                    .collect(),
            };
            for code in codes {
                for name in NAMED
                    .captures_iter(code)
                    .filter_map(|it| it.get(1).or(it.get(2)))
                {
                    let name = name.as_str();
                    // A command may name a test by a part of its name.
                    let is_known = known.contains(name) || known.iter().any(|it| it.contains(name));
                    let is_theirs = page == DOCUMENTS && name.matches('_').count() < 3;
                    if !elsewhere && !is_theirs && !is_known {
                        says(name);
                    }
                }
                let path = code.trim_end_matches('/');
                let is_path = path.contains('/')
                    && path
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
                let top = path.split('/').next().unwrap_or_default();
                if is_path
                    && is_folder(project, top)
                    && project.text(path).is_none()
                    && !is_folder(project, path)
                {
                    says(path);
                }
            }
        }
    }
}

fn is_folder(project: &Project, path: &str) -> bool {
    !path.is_empty() && project.with(&format!("{path}/"), "").next().is_some()
}

//! What the pages name and include is there.

use std::{
    collections::BTreeSet,
    path::{Component, Path},
    sync::LazyLock,
};

use regex::Regex;

use crate::{Project, errors};

const SUMMARY: &str = "book/src/SUMMARY.md";

/// What is wrong with the pages of the book.
pub fn complaints(project: &Project) -> Vec<String> {
    let (mut found, mut used) = (Vec::new(), BTreeSet::new());
    for (path, text) in project.with("book/src/", ".md") {
        includes(project, path, text, &mut used, &mut found);
        let blocks = FENCED.captures_iter(text).filter_map(|it| {
            let before = &text[..it.get_match().start()];
            let says = fault(project, path, before, &it[1], it[2].trim())?;
            Some(format!("{path}:{}: {says}", before.lines().count() + 1))
        });
        found.extend(blocks);
        let tests = text.lines().filter(|it| it.starts_with("*Test:*"));
        let wrong = tests.filter(|it| !is_test(project, it));
        found
            .extend(wrong.map(|it| {
                format!("{path}: {it}: there is no such function: has it been renamed?")
            }));
    }
    // A player has a listing of its own.
    for (path, text) in project.with("book/src/pictures/", ".svg") {
        includes(project, path, text, &mut used, &mut found);
    }
    left_over(project, &used, &mut found);
    summary(project, &mut found);
    found
}

static TEST: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\*Test:\* `(\w+)` in `([^`]+)`").expect("it is a regex"));

/// Whether the file that a line with a test names has a function of that name.
fn is_test(project: &Project, line: &str) -> bool {
    TEST.captures(line).is_some_and(|it| {
        let file = project.text(&it[2]).unwrap_or_default();
        file.contains(&format!("fn {}(", &it[1]))
    })
}

static INCLUDE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{\{#(\w+) ([^}:]+)(?::([^}]*))?\}\}").expect("it is a regex"));

static ANCHOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)ANCHOR(_END)?: ([\w-]+)").expect("it is a regex"));

/// The path from the root of a file that a page includes.
fn included(page: &str, file: &str) -> String {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts = Vec::new();
    for part in Path::new(folder).join(file).components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            part => parts.push(part.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/")
}

/// Each include finds its file and its anchor. `used` gets the text of the file, and the anchor.
fn includes<'a>(
    project: &'a Project,
    page: &str,
    text: &str,
    used: &mut BTreeSet<(&'a str, String)>,
    found: &mut Vec<String>,
) {
    for (line, text) in (1..).zip(text.lines()) {
        for include in INCLUDE.captures_iter(text) {
            let path = included(page, &include[2]);
            let Some(file) = project.text(&path) else {
                found.push(format!(
                    "{page}:{line}: there is no {path}: correct the include"
                ));
                continue;
            };
            let Some(anchor) = include.get(3).map(|it| it.as_str()) else {
                continue;
            };
            let marks = ANCHOR.captures_iter(file).filter(|it| &it[2] == anchor);
            let ends: Vec<bool> = marks.map(|it| it.get(1).is_some()).collect();
            if ends != [false, true] {
                found.push(format!(
                    "{page}:{line}: {path} must have `ANCHOR: {anchor}` once, and its end after it: correct the file or the include"
                ));
            }
            used.insert((file, anchor.to_owned()));
        }
    }
}

/// A file that a page names in backticks, in italics, or by including a listing of it.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\*Test:.*$|(?:[`*]|include [./]+)((?:step|lab/|tools/|exercises/)[\w/.-]+\.(?:rs|toml))[`*:}]")
        .expect("it is a regex")
});

/// The file that a section has named last, before a listing.
fn named(before: &str) -> Option<&str> {
    let section = before.rsplit("\n#").next()?;
    let names = NAMED.captures_iter(section);
    names.filter_map(|it| Some(it.get(1)?.as_str())).last()
}

/// No anchor of a stage is left over. A carried file has the anchors of the original, and is the same text.
fn left_over(project: &Project, used: &BTreeSet<(&str, String)>, found: &mut Vec<String>) {
    for (path, text) in project.with("step", ".rs") {
        for (line, code) in (1..).zip(text.lines()) {
            let anchor = code.trim_start().strip_prefix("// ANCHOR: ");
            let Some(anchor) = anchor.filter(|it| !used.contains(&(text, it.to_string()))) else {
                continue;
            };
            found.push(format!(
                "{path}:{line}: no page includes `{anchor}`: include it, or take the anchor out"
            ));
        }
    }
}

/// A block of code on a page: what stands behind its first fence, and its lines.
static FENCED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?ms)^ *```([^\n]*)\n(.*?)(?:^ *```$|\z)").expect("it is a regex")
});

/// Code is included, from a file that is compiled or that a program wrote, so that no block can be wrong unseen.
fn fault(project: &Project, page: &str, before: &str, info: &str, body: &str) -> Option<String> {
    if matches!(info, "sh" | "text,drawing") {
        return None;
    }
    let Some(include) = INCLUDE
        .captures(body)
        .filter(|it| it[0].len() == body.len())
    else {
        return Some("this is pasted: make the whole block one {{#include FILE}} or {{#include FILE:ANCHOR}}, or `sh` for commands".into());
    };
    let path = included(page, &include[2]);
    let text = project.text(&path)?;
    if path.ends_with(".rs") && named(before) != Some(&path) {
        return Some(format!(
            "nothing says which file this is: write `*{path}*` above the listing"
        ));
    }
    let refused = path.starts_with(errors::FOLDER) && path.ends_with(".rs");
    match info {
        "rust" if path.ends_with(".rs") && !refused => None,
        "text" | "toml" => None,
        "console" if text.starts_with("$ ") => None,
        "console" => Some(format!(
            "{path} must begin with its command: `$ cargo run …`"
        )),
        _ if refused => {
            let message = project
                .text(&path.replace(".rs", ".stderr"))
                .unwrap_or_default();
            let code = errors::code(message).map_or(String::new(), |it| format!(",{it}"));
            let right = format!("rust,compile_fail{code}");
            (info != right).then(|| format!("the compiler refuses {path}: write `{right}`"))
        }
        _ => Some(format!(
            "`{info}` is no form of code in this book: see tools/course/README.md"
        )),
    }
}

/// Each page that the summary names is there, and it names each that is there. What a page includes is no page.
fn summary(project: &Project, found: &mut Vec<String>) {
    let summary = project.text(SUMMARY).unwrap_or_default();
    let named = summary.split("](").skip(1);
    let named: BTreeSet<String> = named
        .filter_map(|rest| rest.split(')').next())
        .filter(|file| !file.is_empty())
        .map(|file| format!("book/src/{file}"))
        .collect();
    for path in named.iter().filter(|it| project.text(it).is_none()) {
        found.push(format!(
            "{SUMMARY}: there is no {path}: name a page that is there"
        ));
    }
    for (path, _) in project.with("book/src/", ".md") {
        let is_page = path != SUMMARY;
        if is_page && !named.contains(path) {
            found.push(format!("{path}: {SUMMARY} does not name it: add it"));
        }
    }
}

//! Code on a page is included, from a file that CI compiles or that a program wrote.

use std::{
    collections::BTreeSet,
    path::{Component, Path},
    sync::LazyLock,
};

use regex::Regex;

use crate::{
    Project, errors,
    page::{Fence, Page},
};

static INCLUDE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\{\{#(\w+) ([^}:]+)(?::([^}]*))?\}\}").expect("it is a regex"));

static ANCHOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)ANCHOR(_END)?: ([\w-]+)").expect("it is a regex"));

/// The path from the root of a file that a page includes.
pub(crate) fn included(page: &str, file: &str) -> String {
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
pub(super) fn includes<'a>(
    project: &'a Project,
    page: &'a Page,
    used: &mut BTreeSet<(&'a str, String)>,
    found: &mut Vec<String>,
) {
    if !page.path.starts_with("book/src/") {
        return;
    }
    for (line, text) in page.lines() {
        for include in INCLUDE.captures_iter(text) {
            let path = included(&page.path, &include[2]);
            let Some(file) = project.text(&path) else {
                found.push(page.at(line, &format!("there is no {path}: correct the include")));
                continue;
            };
            let Some(anchor) = include.get(3).map(|it| it.as_str()) else {
                continue;
            };
            let marks = ANCHOR.captures_iter(file).filter(|it| &it[2] == anchor);
            let ends: Vec<bool> = marks.map(|it| it.get(1).is_some()).collect();
            if ends != [false, true] {
                found.push(page.at(line, &format!(
                    "{path} must have `ANCHOR: {anchor}` once, and its end after it: correct the file or the include"
                )));
            }
            used.insert((file, anchor.to_owned()));
        }
    }
}

/// No anchor of the stages and of the lab is left over. The museum cuts its own exhibits.
pub(super) fn left_over(
    project: &Project,
    used: &BTreeSet<(&str, String)>,
    found: &mut Vec<String>,
) {
    let sources = project
        .with("step", ".rs")
        .chain(project.with("lab/", ".rs"));
    for (path, text) in sources.filter(|it| !it.0.starts_with("lab/museum/src/exhibits/")) {
        for (line, code) in (1..).zip(text.lines()) {
            let Some(anchor) = code.trim_start().strip_prefix("// ANCHOR: ") else {
                continue;
            };
            // A carried file has the anchors of the original, and is the same text.
            if !used.contains(&(text, anchor.to_owned())) {
                found.push(format!(
                    "{path}:{line}: no page includes `{anchor}`: include it, or take the anchor out"
                ));
            }
        }
    }
}

/// Each block of code has a form in which it cannot be wrong unseen.
pub(super) fn fences(project: &Project, page: &Page, found: &mut Vec<String>) {
    for (place, fence) in page.fences.iter().enumerate() {
        let next = page.fences.get(place + 1);
        found.extend(fault(project, page, fence, next).map(|says| page.at(fence.line, &says)));
    }
}

fn fault(project: &Project, page: &Page, fence: &Fence, next: Option<&Fence>) -> Option<String> {
    // The whole block is one include, of this file, of all of it or of an anchor.
    let only = |fence: &Fence| {
        let body = fence.body.trim_end();
        let include = INCLUDE
            .captures(body)
            .filter(|it| it[0].len() == body.len())?;
        Some((included(&page.path, &include[2]), include.get(3).is_some()))
    };
    let info = fence.info.as_str();
    if matches!(info, "sh" | "text,drawing") {
        return None;
    }
    let Some((path, part)) = only(fence) else {
        return Some("this is pasted: make the whole block one {{#include FILE}} or {{#include FILE:ANCHOR}}, or `sh` for commands".to_owned());
    };
    let text = project.text(&path)?;
    let error = path
        .strip_prefix(errors::FOLDER)
        .and_then(|it| it.strip_suffix(".rs"));
    match (info, error) {
        ("rust", None) if compiled(project, &path) => None,
        ("rust", None) => Some(format!(
            "nothing compiles {path}: include code that CI builds"
        )),
        ("rust", Some(_)) => Some(
            "this does not compile: write `rust,compile_fail,E0000`, with the code of the error if it has one"
                .to_owned(),
        ),
        ("text" | "toml", _) => None,
        ("console", _) => written(project, &path, text),
        (_, Some(name)) if info.starts_with("rust,compile_fail") => {
            let message = format!("{}{name}.stderr", errors::FOLDER);
            let code = project.text(&message).and_then(errors::code);
            if next.and_then(only) != Some((message.clone(), false)) || part {
                Some(format!(
                    "show the program and its message whole: the next block is {{{{#include ../../{message}}}}}"
                ))
            } else if info.strip_prefix("rust,compile_fail").map(|it| it.trim_start_matches(','))
                != Some(code.unwrap_or_default())
            {
                Some(format!(
                    "the code of the error in {message} is {}: write that, or `rust,compile_fail` if it has none",
                    code.unwrap_or("none")
                ))
            } else {
                None
            }
        }
        _ => Some(format!(
            "`{info}` is no form of code in this book: see tools/course/README.md"
        )),
    }
}

/// Whether the file is one of an exercise, a target of cargo, or a module that is declared.
fn compiled(project: &Project, path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/').filter(|it| it.1.ends_with(".rs")) else {
        return false;
    };
    let stem = name.trim_end_matches(".rs");
    let is_in = |folder: &str, places: &[&str]| places.iter().any(|it| folder.ends_with(it));
    let target = is_in(folder, &["/src", "/tests", "/src/bin", "/examples"])
        && (matches!(stem, "lib" | "main") || !folder.ends_with("/src"));
    // An example of several files is a folder.
    let above = folder.rsplit_once('/').map_or("", |(above, _)| above);
    let target = target || stem == "main" && is_in(above, &["/tests", "/examples"]);
    path.starts_with("exercises/") || target || declared(project, folder, stem, "")
}

/// Whether the module above declares this one. It is the file of the folder; or if that has none, because it is written
/// `mod carried { mod x; }`, the one of the folder above, and the line is indented.
fn declared(project: &Project, folder: &str, stem: &str, indent: &str) -> bool {
    let parents = ["/lib.rs", "/main.rs", ".rs"].map(|end| format!("{folder}{end}"));
    let mut parents = parents.iter().filter_map(|it| project.text(it)).peekable();
    if parents.peek().is_none() {
        let (above, indent) = (folder.rsplit_once('/'), format!("    {indent}"));
        return above.is_some_and(|(above, _)| declared(project, above, stem, &indent));
    }
    let item = format!("mod {stem};");
    let declares = |line: &str| {
        // A line of the museum's macro that declares all exhibits is the name alone.
        let rest = line.strip_prefix(indent).unwrap_or_default();
        let visible = rest.strip_suffix(&item);
        visible.is_some_and(|it| it.is_empty() || it.starts_with("pub")) || line.trim() == stem
    };
    parents.any(|text| text.lines().any(declares))
}

/// What a program printed is a file that a test compares: the test of its name beside it, the one that its folder is named
/// after, or the museum's. It begins with its command.
fn written(project: &Project, path: &str, text: &str) -> Option<String> {
    let test = path.replace(".txt", ".rs");
    let folder = path.rsplit_once('/').map_or(path, |(folder, _)| folder);
    let compares = |test: &str, by: &str| project.text(test).is_some_and(|it| it.contains(by));
    if !text.starts_with("$ ") {
        Some(format!(
            "{path} must begin with its command: `$ cargo run …`"
        ))
    } else if !path.starts_with("lab/museum/seen/")
        && !compares(&test, "kit::transcript::check")
        && !compares(
            &format!("{folder}.rs"),
            "each_transcript_is_what_a_shell_shows",
        )
    {
        Some(format!(
            "there is no {test} that compares {path}: include a file that a test keeps"
        ))
    } else {
        None
    }
}

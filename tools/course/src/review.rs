//! What a reviewer would ask of a function that a stage has not had before. Nobody can derive the answers, so these are questions: a
//! stage may be right without each of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
};

use regex::Regex;

use crate::{Project, Stage, git::git, pages::regex};

/// A public function: the type that has it, if one does, and its name.
type Function = (String, String);

/// The files of the stages as they were: those that have changed since, by their paths. Those that were not there have no text.
pub type Before = BTreeMap<String, String>;

/// Asks git what has changed since the commit in `CHANGED_SINCE`, or else since the last one, as `.ci/run` does. `None`: there is no git,
/// no such commit, or it is everything that is new.
pub fn before() -> Option<Before> {
    let since = env::var("CHANGED_SINCE").unwrap_or_else(|_| "HEAD^".to_owned());
    let changed = git(&["diff", "--name-only", &since, "--", "step*/src/*.rs"])?;
    let new = git(&[
        "ls-files",
        "--others",
        "--exclude-standard",
        "--",
        "step*/src/*.rs",
    ])?;
    let mut before = Before::new();
    for path in changed.lines().chain(new.lines()) {
        let text = git(&["show", &format!("{since}:{path}")]).unwrap_or_default();
        before.insert(path.to_owned(), text);
    }
    Some(before)
}

/// What to ask, a line for each.
pub fn questions(project: &Project, before: &Before) -> Vec<String> {
    let mut found = Vec::new();
    for stage in &project.stages {
        let src = format!("{}/src/", stage.name);
        let changed = before
            .iter()
            .filter(|(path, _)| path.starts_with(&src) && !path.contains("/carried/"));
        let (mut old, mut now) = (BTreeSet::new(), BTreeMap::new());
        for (path, text) in changed {
            old.extend(functions(text));
            for function in functions(project.text(path).unwrap_or_default()) {
                now.insert(function, path);
            }
        }
        // One that has moved to another file is not new.
        for (function, path) in now
            .into_iter()
            .filter(|(function, _)| !old.contains(function))
        {
            for question in asked(project, stage, path, &function) {
                let (owner, name) = &function;
                let shown = if owner.is_empty() {
                    name.clone()
                } else {
                    format!("{owner}::{name}")
                };
                found.push(format!("{path}: `{shown}` is new: {question}"));
            }
        }
    }
    found
}

/// The questions that the project doesn't answer by itself.
fn asked(project: &Project, stage: &Stage, file: &str, function: &Function) -> Vec<String> {
    let (owner, name) = function;
    let mut found = Vec::new();
    let is_in = |start: &str, end: &str| {
        project
            .with(start, end)
            .any(|(_, text)| kit::source::words_of(text).any(|word| word == name))
    };
    let tests = format!("{}/tests/", stage.name);
    let call = call(name);
    let mut in_tests = project.with(&tests, ".rs");
    if !in_tests.any(|(_, text)| is_called(&call, text)) {
        found.push(format!(
            "which test fails without it? None in {tests} calls it"
        ));
    }
    let pages = format!("book/src/{}-", stage.number());
    if !is_in(&pages, ".md") {
        found.push(format!(
            "what does a reader need it for? No page {pages}… names it"
        ));
    }
    let is_theirs =
        |path: &str| path != file && path.contains("/src/") && !path.contains("/carried/");
    for (path, text) in project
        .with("step", ".rs")
        .filter(|(path, _)| is_theirs(path))
    {
        let is_there = text.lines().any(|line| {
            let of = line.strip_prefix("pub struct ").unwrap_or_default();
            kit::source::words_of(of).next() == Some(owner)
        });
        if is_there && !functions(text).contains(function) {
            found.push(format!("should the {owner} of {path} have it, too?"));
        }
    }
    if !is_in("CHANGELOG.md", "") {
        found.push("does who uses the course need it? CHANGELOG.md doesn't name it".to_owned());
    }
    found
}

/// A call of this function, or its name behind that of its type. It may as well be the definition of another one, of which the first group has
/// the `fn`.
fn call(name: &str) -> Regex {
    regex(&format!(r"(\bfn )?\b{name}(::<.*>)?\(|::{name}\b"))
}

/// Whether the code of a file has one. What a comment says isn't tested.
fn is_called(call: &Regex, text: &str) -> bool {
    let lines = kit::source::code(text);
    let mut found = lines.iter().flat_map(|line| call.captures_iter(line));
    found.any(|found| found.get(1).is_none())
}

/// The public functions of a file.
fn functions(text: &str) -> BTreeSet<Function> {
    let (mut owner, mut found) = (String::new(), BTreeSet::new());
    for line in text.lines() {
        if line.starts_with('}') {
            owner.clear();
        } else if let Some(header) = line.strip_prefix("impl") {
            owner = implemented(header);
        }
        let Some(rest) = line.trim_start().strip_prefix("pub ") else {
            continue;
        };
        if let Some((_, rest)) = format!(" {rest}").split_once(" fn ") {
            found.extend(
                kit::source::words_of(rest)
                    .next()
                    .map(|name| (owner.clone(), name.to_owned())),
            );
        }
    }
    found
}

/// The name of the type that `impl…` is of.
fn implemented(header: &str) -> String {
    let (mut depth, mut rest) = (0, header);
    if header.starts_with('<') {
        let end = header.find(|letter| {
            depth += i32::from(letter == '<') - i32::from(letter == '>');
            depth == 0
        });
        rest = &header[end.map_or(0, |end| end + 1)..];
    }
    let of = rest.split_once(" for ").map_or(rest, |(_, of)| of);
    kit::source::words_of(of)
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HANDLE: &str = "pub struct JoinHandle<T>(T);\n\nimpl<T: Fn(&str)> JoinHandle<T> {\n    pub fn abort(&self) {}\n}\n";

    fn project(handle: &str, test: &str) -> Project {
        let files = [
            ("step08-x/Cargo.toml", ""),
            ("step08-x/src/handle.rs", handle),
            ("step08-x/tests/it.rs", test),
            ("step10-y/Cargo.toml", ""),
            ("step10-y/src/handle.rs", HANDLE),
            ("book/src/08-x.md", "`abort`"),
            ("exercises/info.toml", "exercises = []"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        Project::of(files.into()).expect("it can be parsed")
    }

    #[test]
    fn a_new_method_is_asked_about_until_the_project_answers() {
        let with_method = HANDLE.replace("}\n", "\n    pub async fn is_done(&self) {}\n}\n");
        let before = Before::from([("step08-x/src/handle.rs".to_owned(), HANDLE.to_owned())]);
        let found = questions(&project(&with_method, ""), &before).join("\n");
        for part in [
            "which test",
            "No page book/src/08-",
            "the JoinHandle of step10-y/src/handle.rs",
            "CHANGELOG",
        ] {
            assert!(found.contains(part), "{part}: {found}");
        }
        assert!(found.contains("`JoinHandle::is_done` is new"), "{found}");
        for (test, is_one) in [
            ("handle.is_done()", true),
            ("all(handles, JoinHandle::is_done)", true),
            ("// Until it `is_done()`.", false),
            ("fn is_done() {}", false),
            ("let is_done = true;", false),
        ] {
            let found = questions(&project(&with_method, test), &before).join("\n");
            assert_eq!(!found.contains("which test"), is_one, "{test}: {found}");
        }
    }

    #[test]
    fn one_that_has_moved_is_not_new() {
        let before = Before::from([
            ("step08-x/src/handle.rs".to_owned(), String::new()),
            ("step08-x/src/old.rs".to_owned(), HANDLE.to_owned()),
        ]);
        assert!(questions(&project(HANDLE, ""), &before).is_empty());
    }
}

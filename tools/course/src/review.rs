//! What a reviewer would ask of a function that a stage has not had before. Nobody can derive the answers, so these are questions: a
//! stage may be right without each of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
};

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::{ImplItem, Item, Type, Visibility};

use crate::{Project, Stage, git::git};

/// A public function: the type that has it, if one does, and its name.
type Function = (String, String);

/// The files of the stages as they were: those that have changed since, by their paths. Those that were not there have no text.
pub type Before = BTreeMap<String, String>;

/// Asks git what has changed since the commit in `CHANGED_SINCE`, or else what the last commit has changed and what is not committed yet,
/// as `.ci/run` does: a question is no less open once you have committed. `None`: there is no git, no such commit, or it is everything
/// that is new.
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
    let mut in_tests = project.with(&tests, ".rs");
    if !in_tests.any(|(_, text)| is_called(name, text.parse().unwrap_or_default())) {
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
        if has_type(owner, text) && !functions(text).contains(function) {
            found.push(format!("should the {owner} of {path} have it, too?"));
        }
    }
    if !is_in("CHANGELOG.md", "") {
        found.push("do users of the course need to know? CHANGELOG.md doesn't name it".to_owned());
    }
    found
}

/// Whether a function of this name is called somewhere, or named behind a path, as in `JoinHandle::is_done`. It may be in a macro. What a
/// comment says isn't tested.
fn is_called(name: &str, tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_path = |at: usize| {
        let colon = |at: usize| match tokens.get(at) {
            Some(TokenTree::Punct(it)) if it.as_char() == ':' => Some(it.spacing()),
            _ => None,
        };
        colon(at) == Some(Spacing::Joint) && colon(at + 1).is_some()
    };
    let mut all = tokens.iter().enumerate();
    all.any(|(at, token)| match token {
        TokenTree::Group(group) => is_called(name, group.stream()),
        TokenTree::Ident(it) if it == name => {
            let before = at.checked_sub(1).map(|at| &tokens[at]);
            if matches!(before, Some(TokenTree::Ident(it)) if it == "fn") {
                return false;
            }
            let has_arguments = match tokens.get(at + 1) {
                Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
                _ => is_path(at + 1),
            };
            has_arguments || at.checked_sub(2).is_some_and(is_path)
        }
        _ => false,
    })
}

/// The items of a file. One that doesn't parse has none: the compiler says why.
fn items(text: &str) -> Vec<Item> {
    syn::parse_file(text).map_or(Vec::new(), |file| file.items)
}

/// Whether a file has a public struct of this name.
fn has_type(name: &str, text: &str) -> bool {
    let mut items = items(text).into_iter();
    items.any(|item| matches!(item, Item::Struct(it) if is_public(&it.vis) && it.ident == name))
}

/// The public functions of a file.
fn functions(text: &str) -> BTreeSet<Function> {
    let mut found = BTreeSet::new();
    collect(items(text), &mut found);
    found
}

fn collect(items: Vec<Item>, found: &mut BTreeSet<Function>) {
    for item in items {
        match item {
            Item::Fn(it) if is_public(&it.vis) => {
                found.insert((String::new(), it.sig.ident.to_string()));
            }
            Item::Impl(it) => {
                let owner = match *it.self_ty {
                    Type::Path(of) => of.path.segments.last().map(|last| last.ident.to_string()),
                    _ => None,
                };
                let owner = owner.unwrap_or_default();
                for item in it.items {
                    if let ImplItem::Fn(it) = item {
                        if is_public(&it.vis) {
                            found.insert((owner.clone(), it.sig.ident.to_string()));
                        }
                    }
                }
            }
            Item::Mod(it) => collect(it.content.map_or(Vec::new(), |(_, items)| items), found),
            _ => {}
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
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
            ("assert!(handle.is_done::<u8>())", true),
            ("// Until it `is_done()`.", false),
            ("fn is_done() {}", false),
            ("let is_done = true;", false),
            ("Handle { is_done: true }", false),
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

//! What a page names is there: commands, paths, functions, and the versions of crates.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;

use crate::{
    Project,
    page::{Form, Page},
};

/// Where a page speaks of other crates, whose names nothing here can check.
const ELSEWHERE: [&str; 2] = ["In the real world", "From the documents"];
const ELSEWHERE_PAGES: [&str; 2] = ["book/src/where-next.md", "book/src/documents.md"];

/// Each command of cargo names a package, a target and an argument that are there.
pub(super) fn commands(project: &Project, page: &Page, found: &mut Vec<String>) {
    let fences = page
        .fences
        .iter()
        .filter(|it| matches!(it.info.as_str(), "sh" | "console"));
    let typed = fences.flat_map(|it| (it.line + 1..).zip(it.body.lines()));
    let named = page.of(Form::Code).map(|it| (it.line, it.text.as_str()));
    for (line, command) in typed.chain(named) {
        found.extend(wrong(project, command).map(|says| page.at(line, &says)));
    }
}

fn wrong(project: &Project, command: &str) -> Option<String> {
    let command = command.split(" #").next()?.trim();
    let words: Vec<&str> = command.split_whitespace().collect();
    let cargo = words.iter().position(|it| *it == "cargo")?;
    let no = |what: &str| {
        Some(format!(
            "`{command}`: there is no {what}: name one that is there"
        ))
    };
    if let Some(number) = words.get(cargo + 1)?.strip_prefix("step") {
        let known = project.stages.iter().any(|it| it.number() == number);
        return if known {
            None
        } else {
            no(&format!("stage {number}"))
        };
    }
    let after = |name: &str| {
        let place = words.iter().position(|it| *it == name)?;
        words.get(place + 1).copied().filter(|it| is_name(it))
    };
    let package = after("-p")?;
    let Some((folder, manifest)) = project.packages.get(package) else {
        return no(&format!("package `{package}`"));
    };
    for (option, inside) in [
        ("--bin", "src/bin"),
        ("--test", "tests"),
        ("--example", "examples"),
    ] {
        let Some(name) = after(option) else { continue };
        let files = [".rs", "/main.rs"].map(|end| format!("{folder}/{inside}/{name}{end}"));
        let there = files.iter().any(|it| project.text(it).is_some())
            || option == "--bin" && name == package
            || manifest.to_string().contains(&format!("name = \"{name}\""));
        if !there {
            return no(&format!("`{option} {name}` in {package}"));
        }
    }
    // A name that the program understands is written somewhere in its package: in a list, or in the name of a file.
    // So is the test that is asked for.
    let filter = words
        .last()
        .copied()
        .filter(|it| is_name(it) && after("--test").is_some_and(|test| test != *it));
    let argument = after("--").or(filter)?;
    let folder = format!("{folder}/");
    let file = format!("/{argument}.");
    let there = project.text(argument).is_some()
        || project.files.keys().any(|path| path.contains(&file))
        || project
            .with(&folder, "")
            .any(|(_, text)| text.contains(argument));
    if there {
        None
    } else {
        no(&format!("`{argument}` in {package}"))
    }
}

/// Whether this is a name, and no option, pattern or placeholder.
fn is_name(word: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    !word.starts_with('-')
        && word.chars().all(letter)
        && word.chars().any(|c| c.is_ascii_lowercase())
}

/// Each path in backticks from the root is there.
pub(super) fn paths(project: &Project, page: &Page, found: &mut Vec<String>) {
    for piece in page.of(Form::Code) {
        let path = piece.text.trim_end_matches('/');
        let letter = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        let Some((top, _)) = path.split_once('/') else {
            continue;
        };
        let ours = project
            .with(top, "")
            .any(|it| it.0[top.len()..].starts_with('/'));
        if !ours || !path.chars().all(letter) || path.contains("NAME") {
            continue;
        }
        let folder = format!("{path}/");
        if project.text(path).is_none() && project.with(&folder, "").next().is_none() {
            found.push(page.at(
                piece.line,
                &format!("there is no `{path}`: name a file that is there"),
            ));
        }
    }
}

/// Every word of the project's code that has an underscore.
pub(super) fn words(project: &Project) -> BTreeSet<&str> {
    let code = project.with("", ".rs").chain(project.with("", ".toml"));
    let code = code.filter(|it| it.0 != "tools/course/tests/cases.toml");
    let words =
        code.flat_map(|(_, text)| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter(|word| word.contains('_')).collect()
}

static NAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Za-z]\w*_\w+\b|\bD\d\d\b").expect("it is a regex"));

/// Each name in backticks with an underscore is a word of the project, and each `D01` a known defect.
pub(super) fn known(
    project: &Project,
    page: &Page,
    words: &BTreeSet<&str>,
    found: &mut Vec<String>,
) {
    let defects = project
        .text("tools/mutants/defects.toml")
        .unwrap_or_default();
    let elsewhere = ELSEWHERE_PAGES.contains(&page.path.as_str());
    for piece in page.pieces.iter().filter(|it| !it.text.contains("cargo ")) {
        let elsewhere = elsewhere || ELSEWHERE.contains(&piece.section.as_str());
        for name in NAME.find_iter(&piece.text).map(|it| it.as_str()) {
            let known = match name.contains('_') {
                true => elsewhere || piece.form != Form::Code || words.contains(name),
                false => defects.contains(&format!("[{name}")),
            };
            if !known {
                found.push(page.at(
                    piece.line,
                    &format!("nothing here is called `{name}`: has it been renamed?"),
                ));
            }
        }
    }
}

static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b([a-z][a-z0-9_-]+) (\d+\.\d+(?:\.\d+)?)\b").expect("it is a regex")
});

/// A crate that is named with a version is locked in that version.
pub(super) fn versions(project: &Project, page: &Page, found: &mut Vec<String>) {
    let lock = project.text("Cargo.lock").unwrap_or_default();
    for piece in page.of(Form::Text) {
        for named in VERSION.captures_iter(&piece.text) {
            let (entry, version) = (
                format!("name = \"{}\"\nversion = \"", &named[1]),
                format!("{}.", &named[2]),
            );
            let mut locked = lock
                .split(&entry)
                .skip(1)
                .filter_map(|it| it.split('"').next())
                .peekable();
            if locked.peek().is_some() && !locked.any(|it| format!("{it}.").starts_with(&version)) {
                found.push(page.at(
                    piece.line,
                    &format!(
                        "`{}` is not the version in Cargo.lock: read what has changed there",
                        &named[0]
                    ),
                ));
            }
        }
    }
}

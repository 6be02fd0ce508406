//! Each check, seen to fail: the course as it is, one change to it, and what is said then and was not said before.

use std::{collections::BTreeSet, fs};

use course::{Project, browser, complaints, derived, errors, missing};

fn course() -> Project {
    Project::read(&kit::files::root()).expect("every file can be read")
}

/// Everything that is wrong. The compiler is asked only where a change can be noticed by it.
fn all(project: &Project, changed: &str) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = complaints(project).into_iter().collect();
    if changed.starts_with(errors::FOLDER) {
        found.extend(errors::complaints(project, false).expect("rustc runs"));
    }
    found
}

/// `cases.toml`: groups of changes, each with the file, a text of it, the other text, and a part of each new complaint.
#[test]
fn each_change_is_noticed() {
    let cases: toml::Table = include_str!("cases.toml").parse().expect("it is TOML");
    let course = course();
    let (before, mut unnoticed) = (all(&course, errors::FOLDER), String::new());
    for case in cases.values().filter_map(|it| it.as_array()).flatten() {
        let case: Vec<&str> = case
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|it| it.as_str())
            .collect();
        let [path, from, to, wanted @ ..] = &case[..] else {
            panic!("a case has at least three texts: {case:?}");
        };
        let mut files = course.files.clone();
        let file = files.entry((*path).to_owned()).or_default();
        let change = [(*from, *to)];
        *file =
            kit::change::apply(file, &change).unwrap_or_else(|it| panic!("{path} has no {it:?}"));
        let changed = Project::of(&course.root, files).expect("it can be parsed");
        let found: Vec<String> = all(&changed, path).difference(&before).cloned().collect();
        let noticed = found.len() == wanted.len()
            && wanted
                .iter()
                .all(|part| found.iter().any(|it| it.contains(part)));
        if !noticed {
            unnoticed += &format!("after {case:?}:\n{}\n\n", found.join("\n"));
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed}");
}

#[test]
fn what_a_bare_stage_lacks_is_listed() {
    let mut files = course().files;
    let manifest = "[package]\nname = \"step99-x\"\n";
    files.insert("step99-x/Cargo.toml".to_owned(), manifest.to_owned());
    files.insert(
        "step99-x/src/main.rs".to_owned(),
        "fn main() {}\n".to_owned(),
    );
    let project = Project::of(&course().root, files).expect("it can be parsed");
    let stage = project.stages.last().expect("there are stages");
    let found = missing::missing(&project, stage);
    let words: Vec<&str> = found
        .iter()
        .filter_map(|it| it.split(": ").nth(1))
        .collect();
    let wanted = "metadata, crate doc, transcript, contract, loom, Miri, chapter, SUMMARY, exercises, README row, alias, watched folder, recording, picture, machine, whole stage, title";
    assert_eq!(words.join(", "), wanted, "{}", found.join("\n"));
}

#[test]
fn what_two_stages_have_is_carried() {
    let mut files = course().files;
    let pair = files["step01-simple-future/src/pair.rs"].clone();
    files.insert("step02-join/src/two.rs".to_owned(), pair);
    let project = Project::of(&course().root, files).expect("it can be parsed");
    let says = "step02-join/src/two.rs: equals step01-simple-future/src/pair.rs: move it to step02-join/src/carried/";
    assert!(complaints(&project).contains(&says.to_owned()));
}

#[test]
fn what_is_derived_is_written() {
    let root = tempfile::tempdir().expect("there is room for files");
    let course = course();
    for (path, text) in &course.files {
        if [".md", ".toml", ".rs", "/map.svg"]
            .iter()
            .any(|it| path.ends_with(it))
        {
            let file = root.path().join(path);
            fs::create_dir_all(file.parent().expect("it is in a folder")).expect("it is ours");
            // No figure is right.
            let text = if path.ends_with("/course.md") {
                text.replace("| the executor | ", "| 41 | 9")
            } else {
                text.clone()
            };
            fs::write(file, text.replace("- [A future by hand]", "- [Another]"))
                .expect("it is ours");
        }
    }
    fs::write(root.path().join("book/src/03-pin.md"), "# On pins\n").expect("it is ours");
    let stale = |write| derived::stale(&Project::read(root.path()).expect("it can be read"), write);
    assert!(
        stale(false).iter().any(|it| it.contains("course.md")),
        "{:?}",
        stale(false)
    );
    assert_eq!(stale(true), [""; 0]);
    assert_eq!(stale(false), [""; 0]);
    let text = |path| fs::read_to_string(root.path().join(path)).expect("it is there");
    assert_eq!(
        text("book/src/course.md"),
        course.files["book/src/course.md"].replace("| the executor |", "| 41 |")
    );
    let chapters = "- [A timer as a future](03-timer-future.md)\n  - [On pins](03-pin.md)\n- [";
    assert!(text("book/src/SUMMARY.md").contains(chapters));
}

#[test]
fn links_of_the_built_book_that_lead_nowhere() {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let links = [
        "#a",
        "#b",
        "gone.html",
        "https://example.org/",
        "http://example.org/",
    ];
    let links: String = links
        .iter()
        .map(|it| format!("<a href=\"{it}\">x</a>"))
        .collect();
    let page = format!("<h1 id=\"a\">A</h1>{links}<img src=\"https://example.org/x.png\">");
    fs::write(folder.path().join("index.html"), page).expect("it is ours");
    let found =
        browser::faults(folder.path(), " WARN unclosed tag\n INFO fine\n").expect("it is ours");
    let wanted = [
        "mdbook says: WARN unclosed tag",
        "index.html: `#b` leads nowhere: there is no such heading",
        "index.html: `gone.html` leads nowhere: there is no such file",
        "index.html: `http://example.org/` leads to another host: the book works offline, and its links are https://",
        "index.html: `https://example.org/x.png` leads to another host: the book works offline, and its links are https://",
    ];
    assert_eq!(found, wanted);
}

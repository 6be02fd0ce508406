//! Each check, seen to fail: a small course in which all is right, one change to it, and what is said then.

mod cases;
mod project;

use std::{fs, path::Path};

use course::{Project, browser, complaints, derived, errors};
use project::{small, write};

fn read(root: &Path) -> Project {
    Project::read(root).unwrap()
}

/// That each change leads to complaints with these parts, and to no other.
fn each(cases: &[cases::Case], check: impl Fn(&Project) -> Vec<String>) {
    for case in cases {
        let (path, from, to, wanted) = *case;
        let root = small();
        let text = fs::read_to_string(root.path().join(path)).unwrap_or_default();
        assert!(text.contains(from), "{path} has no {from:?}");
        write(root.path(), path, &text.replacen(from, to, 1));
        let found = check(&read(root.path()));
        let seen = found.len() == wanted.len()
            && found
                .iter()
                .zip(wanted)
                .all(|(found, wanted)| found.contains(wanted));
        assert!(seen, "after {case:?}:\n{}", found.join("\n"));
    }
}

#[test]
fn where_all_is_right_nothing_is_said() {
    let root = small();
    let project = read(root.path());
    assert_eq!(complaints(&project), [""; 0]);
    assert_eq!(errors::complaints(&project, false).unwrap(), [""; 0]);
}

#[test]
fn what_a_bare_stage_lacks_is_listed() {
    let root = small();
    write(
        root.path(),
        "step99-x/Cargo.toml",
        "[package]\nname = \"step99-x\"\n",
    );
    write(root.path(), "step99-x/src/main.rs", "fn main() {}\n");
    let project = read(root.path());
    let found = course::missing::missing(&project, &project.stages[2]);
    let words: Vec<&str> = found
        .iter()
        .map(|it| it.split(": ").nth(1).unwrap())
        .collect();
    assert_eq!(
        words,
        [
            "metadata",
            "crate doc",
            "transcript",
            "contract",
            "loom",
            "Miri",
            "chapter",
            "SUMMARY",
            "exercises",
            "README row",
            "alias",
            "watched folder",
            "recording",
            "picture",
            "title",
        ],
        "{}",
        found.join("\n")
    );
}

#[test]
fn stages_that_lack_something() {
    each(cases::STAGES, complaints);
}

#[test]
fn chapters_that_lack_a_part() {
    each(cases::CHAPTERS, complaints);
}

#[test]
fn what_is_stale_and_what_cannot_be_derived() {
    each(cases::DERIVED, complaints);
}

#[test]
fn what_is_derived_is_written() {
    for (path, from, to, _) in cases::DERIVED.iter().filter(|it| it.3[0].contains("stale")) {
        let root = small();
        let file = root.path().join(path);
        let right = fs::read_to_string(&file).unwrap();
        write(root.path(), path, &right.replacen(from, to, 1));
        assert_eq!(derived::stale(&read(root.path()), true), [""; 0]);
        if !path.ends_with("catalogue.toml") {
            assert_eq!(fs::read_to_string(&file).unwrap(), right, "{path}");
        }
        assert_eq!(complaints(&read(root.path())), [""; 0]);
    }
}

#[test]
fn a_page_beside_a_chapter_is_listed_below_it() {
    let root = small();
    write(root.path(), "book/src/01-pin.md", "# On pins\n");
    assert_eq!(derived::stale(&read(root.path()), true), [""; 0]);
    let summary = fs::read_to_string(root.path().join("book/src/SUMMARY.md")).unwrap();
    assert!(
        summary.contains("- [One](01-one.md)\n  - [On pins](01-pin.md)\n- [Two]"),
        "{summary}"
    );
}

#[test]
fn rules_of_the_house_that_are_broken() {
    each(cases::HOUSE, complaints);
}

#[test]
fn code_that_is_pasted_left_over_or_not_compiled() {
    each(cases::CODE, complaints);
}

#[test]
fn names_that_are_not_there() {
    each(cases::NAMES, complaints);
}

#[test]
fn text_without_proof_or_in_another_voice() {
    each(cases::TEXT, complaints);
}

#[test]
fn errors_that_are_not_the_compilers() {
    each(cases::ERRORS, |project| {
        errors::complaints(project, false).unwrap()
    });
}

#[test]
fn the_compilers_errors_are_written() {
    let root = small();
    assert_eq!(
        errors::complaints(&read(root.path()), true).unwrap(),
        [""; 0]
    );
    let message = fs::read_to_string(root.path().join("tools/course/errors/moved.stderr")).unwrap();
    assert!(
        message.contains("--> moved.rs:2:12") && !message.contains("aborting"),
        "{message}"
    );
    // Now word by word, since it is this rustc's message.
    write(
        root.path(),
        "tools/course/errors/moved.stderr",
        "error[E0382]: other words\n",
    );
    let found = errors::complaints(&read(root.path()), false).unwrap();
    assert!(
        found.len() == 1 && found[0].contains("moved.stderr:1: stale"),
        "{found:?}"
    );
}

#[test]
fn links_of_the_built_book_that_lead_nowhere() {
    let root = tempfile::tempdir().unwrap();
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
    write(root.path(), "index.html", &page);
    let found = browser::faults(root.path(), " WARN unclosed tag\n INFO fine\n").unwrap();
    let wanted = [
        "mdbook says: WARN unclosed tag",
        "index.html: `#b` leads nowhere: there is no such heading",
        "index.html: `gone.html` leads nowhere: there is no such file",
        "index.html: `http://example.org/` leads to another host: the book works offline, and its links are https://",
        "index.html: `https://example.org/x.png` leads to another host: the book works offline, and its links are https://",
    ];
    assert_eq!(found, wanted);
}

//! The pages that messages send to: a section is one of the README, and in the course's book, the title of a chapter is in the metadata
//! of its stage.

// The folder of the stages is no part of the package.
#![cfg(not(miri))]

use std::{collections::BTreeSet, fs, path::Path};

const PAGES: &str = include_str!("../src/say/pages.rs");
const BOOK: &str = include_str!("../../../book/watchdog.txt");

#[test]
fn each_has_the_title_of_its_stage() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut compared = 0;
    for stage in fs::read_dir(root).unwrap() {
        let stage = stage.unwrap().path();
        let name = stage.file_name().unwrap().to_str().unwrap();
        let number = name
            .strip_prefix("step")
            .and_then(|it| it[..2].parse::<u32>().ok());
        let Some(number) = number.filter(|number| (2..=8).contains(number)) else {
            continue;
        };
        let manifest = fs::read_to_string(stage.join("Cargo.toml")).unwrap();
        let title = manifest
            .lines()
            .find_map(|line| line.strip_prefix("title = "))
            .unwrap();
        assert!(
            BOOK.contains(&format!(": chapter {number:02}, {title}\n")),
            "{name}: {title}"
        );
        compared += 1;
    }
    assert_eq!(compared, 7);
}

/// As GitHub and rustdoc make it of a heading.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|it| it.is_alphanumeric() || " -".contains(*it));
    kept.collect::<String>().replace(' ', "-")
}

#[test]
fn each_section_is_in_the_readme_and_each_of_these_is_sent_to() {
    let (_, sections) = include_str!("../README.md")
        .split_once("\n## What a message refers to\n")
        .unwrap();
    let (sections, _) = sections.split_once("\n## ").unwrap();
    let headings = sections.lines().filter(|line| line.starts_with("### "));
    let headings: BTreeSet<_> = headings.map(anchor).collect();
    let pages = PAGES
        .lines()
        .filter(|line| line.starts_with("pub(crate) const "));
    let named: BTreeSet<_> = pages
        .map(|line| line.rsplit('"').nth(1).unwrap().to_owned())
        .collect();
    assert_eq!(headings, named);
    assert_eq!(named.len(), 9);
}

#[test]
fn each_section_but_one_has_a_page_in_the_book() {
    let anchors = PAGES.lines().filter_map(|line| line.split('"').nth(1));
    let lacks = |anchor: &&str| !BOOK.contains(&format!(" {anchor}: "));
    // Of a run step by step, the book has the command.
    assert_eq!(
        anchors.filter(lacks).collect::<Vec<_>>(),
        ["a-run-step-by-step"]
    );
}

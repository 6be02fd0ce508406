//! What a learner gets of the course. What is neither named here nor a page that the book's table of contents has for learners stays with
//! the teacher.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

use kit::files;

use super::page;
use crate::{Error, command::run};

/// Folders and files, besides the stages and the pages of the book.
const HANDED_OUT: &[&str] = &[
    ".cargo/config.toml",
    ".devcontainer",
    ".editorconfig",
    ".gitattributes",
    ".github/first-screen.png",
    ".gitignore",
    ".vscode",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "book/book.toml",
    "book/executor.toml",
    "book/play.toml",
    "book/players.toml",
    "book/recordings",
    "book/schedulers.toml",
    "book/src/exercises",
    "book/src/pictures",
    "book/src/play",
    "book/theme",
    "book/watchdog.txt",
    "exercises/.cargo",
    "exercises/.gitignore",
    "exercises/Cargo.lock",
    "exercises/Cargo.toml",
    "exercises/README.md",
    "exercises/build.rs",
    "exercises/checks",
    "exercises/clippy.toml",
    "exercises/exercises",
    "exercises/given",
    "exercises/info.toml",
    "exercises/yours",
    "lab/at-work",
    "lab/contract",
    "lab/kit",
    "lab/museum",
    "lab/probe",
    "lab/properties",
    "tools/bench",
    "tools/course",
    "tools/matrix",
    "tools/mutants",
    "tools/picture",
];
/// A folder that begins like this is a stage.
const STAGE: &str = "step";
const SOLUTIONS: &str = "exercises/solutions";
const SUMMARY: &str = "book/src/SUMMARY.md";

/// The files of the course, and those of them that a learner gets, by their paths from the root.
#[derive(Default)]
pub(super) struct List {
    course: BTreeSet<String>,
    learners: BTreeSet<String>,
}

impl List {
    /// Of what git tracks in this folder.
    pub fn read(course: &Path, has_solutions: bool) -> Result<List, Error> {
        let tracked = run(Command::new("git")
            .args(["ls-files", "-z"])
            .current_dir(course))?;
        let summary = files::read(&course.join(SUMMARY))?;
        let mut list = List::default();
        let mut handed_out: Vec<PathBuf> = HANDED_OUT.iter().map(PathBuf::from).collect();
        handed_out.push(SUMMARY.into());
        handed_out.extend(page::links(SUMMARY, &page::unmarked(&summary)).map(PathBuf::from));
        if has_solutions {
            handed_out.push(SOLUTIONS.into());
        }
        for path in tracked.split_terminator('\0') {
            let is_named = handed_out
                .iter()
                .any(|name| Path::new(path).starts_with(name));
            list.add(path, is_named || path.starts_with(STAGE));
        }
        Ok(list)
    }

    /// Adds a file of the course.
    pub fn add(&mut self, path: &str, is_learners: bool) {
        self.course.insert(path.to_owned());
        if is_learners {
            self.learners.insert(path.to_owned());
        }
    }

    /// The files that a learner gets.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.learners.iter().map(String::as_str)
    }

    /// Whether the course has this file or folder, and a learner gets nothing of it.
    pub fn lacks(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        let is_in = |files: &BTreeSet<String>| {
            let mut below = files.range(folder.clone()..);
            files.contains(path) || below.next().is_some_and(|next| next.starts_with(&folder))
        };
        is_in(&self.course) && !is_in(&self.learners)
    }
}

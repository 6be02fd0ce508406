//! Where a message sends its reader: to a section of the README, or to the pages of a book that the program's own folder has.
//!
//! A folder with a copy of this crate somewhere in it may have a file `book/watchdog.txt`. Then a message to a program that was built
//! or runs in that folder names the pages in that file. It has a line for each: the number from which on its readers know that page, the
//! section of the README in whose place it is, a colon, and how a message names it. Other lines are a word, a colon, and this:
//!
//! - `crate`: what programs there call this crate.
//! - `program`: how the names of programs begin of which the readers know only pages up to a number, which follows with two digits.
//! - `unread`: what they read instead of a page that they don't know.
//! - `run`, `run in`: the command that shows a [`Recording`](crate::Recording) in `FILE`, and where it can be run.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// In the folder that has both.
const FILE: &str = "book/watchdog.txt";

/// The book of this program. There is none for most.
static BOOK: LazyLock<Option<String>> = LazyLock::new(|| {
    // Under Miri, there are no files.
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .filter(|_| !cfg!(miri));
    let (folder, book) = folders.find_map(|folder| {
        let book = fs::read_to_string(folder.join(FILE)).ok()?;
        Some((real(folder.to_owned())?, book))
    })?;
    let places = [env::current_exe(), env::current_dir()];
    let mut places = places.into_iter().flatten().filter_map(real);
    places
        .any(|place| place.starts_with(&folder))
        .then_some(book)
});

fn real(path: PathBuf) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// What the book has for this word.
fn entry(word: &str) -> Option<&'static str> {
    let mut lines = BOOK.as_deref()?.lines();
    lines.find_map(|line| line.strip_prefix(word)?.strip_prefix(": "))
}

/// The number and the name of the page that the book has in the place of this section.
fn page(section: &str) -> Option<(u32, &'static str)> {
    let mut lines = BOOK.as_deref()?.lines();
    lines.find_map(|line| {
        let (number, rest) = line.split_once(' ')?;
        let name = rest.strip_prefix(section)?.strip_prefix(": ")?;
        Some((number.parse().ok()?, name))
    })
}

/// Up to which number the readers of this program know the pages.
fn known() -> u32 {
    let program = env::current_exe().unwrap_or_default();
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let digits = || name.strip_prefix(entry("program")?)?.get(..2);
    let number = digits().and_then(|digits| digits.parse().ok());
    number.unwrap_or(u32::MAX)
}

/// What the program calls this crate.
pub(crate) fn name_of_crate() -> &'static str {
    entry("crate").unwrap_or(env!("CARGO_CRATE_NAME"))
}

/// Where to read more, of these sections.
pub(crate) fn read(sections: &[&str]) -> String {
    let pages: Vec<_> = sections
        .iter()
        .filter_map(|section| page(section))
        .collect();
    if pages.is_empty() {
        let sections = sections.iter().map(|anchor| format!("README.md#{anchor}"));
        return sections.collect::<Vec<_>>().join(" and ") + " of why-pending";
    }
    let known = known();
    let read: Vec<_> = pages
        .into_iter()
        .filter_map(|(number, name)| (number <= known).then_some(name))
        .collect();
    match entry("unread") {
        Some(instead) if read.is_empty() => instead.to_owned(),
        _ => read.join(" and "),
    }
}

/// How to see a recording: the command, and where it can be run.
pub(crate) fn shows_a_run() -> Option<(&'static str, &'static str)> {
    Some((entry("run")?, entry("run in")?))
}

//! What the pages say of other crates: their versions are those of Cargo.lock, and the files of their sources are there.

use std::{collections::BTreeSet, ops::Range, path::PathBuf, sync::LazyLock};

use regex::Regex;

use crate::{
    Book, Complaint, Page,
    text::{files_below, read},
};

use super::on;

static VERSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([a-z][\w-]*) (\d+\.\d+(?:\.\d+)?)\b").expect("it is a regex"));

static LOCKED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^name = "([^"]+)"\nversion = "([^"]+)""#).expect("it is a regex")
});

/// A file in a folder. `library/` is the standard library's, whose source cargo does not keep.
static PATH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[\w-]+(?:/[\w-]+)*/(?:[\w-]+\.rs)?$").expect("it is a regex"));

static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[a-z][\w-]*").expect("it is a regex"));

/// From where a page may name a file of a crate.
const BELOW: [&str; 3] = ["", "src", "src/runtime"];

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let lock = read(&book.root.join("Cargo.lock")).unwrap_or_default();
    let mut found = Vec::new();
    for page in &book.pages {
        found.extend(versions(page, &lock));
        let Some(section) = section(page) else {
            continue;
        };
        let crates = named(page, &section, &lock);
        let Some(sources) = sources(book, &crates).filter(|it| !it.is_empty()) else {
            continue;
        };
        let pieces = page.blocks.iter().flat_map(|block| &block.pieces);
        for piece in pieces.filter(|it| it.code && section.contains(&it.line)) {
            let path = &piece.text;
            let foreign = PATH.is_match(path)
                && !path.starts_with("library/")
                && !book.root.join(path).exists();
            let is_there = || {
                let mut places = sources
                    .iter()
                    .flat_map(|it| BELOW.map(|below| it.join(below)));
                places.any(|folder| folder.join(path).exists())
            };
            if foreign && !is_there() {
                let names: Vec<String> = crates.iter().map(|(a, b)| format!("{a} {b}")).collect();
                let says = format!(
                    "`{path}` is in no crate that this section names ({}): look it up",
                    names.join(", ")
                );
                found.push(on(page, piece.line, says));
            }
        }
    }
    found
}

/// The names and versions of a lock file.
pub(super) fn locked(lock: &str) -> impl Iterator<Item = (&str, &str)> {
    let found = LOCKED.captures_iter(lock);
    found.filter_map(|it| Some((it.get(1)?.as_str(), it.get(2)?.as_str())))
}

/// What could not be looked up, because cargo has no source of it here.
pub fn skipped(book: &Book) -> Vec<String> {
    let lock = read(&book.root.join("Cargo.lock")).unwrap_or_default();
    let mut missing = BTreeSet::new();
    for page in &book.pages {
        let crates = section(page).map(|it| named(page, &it, &lock));
        let absent = |it: &(String, String)| source(book, it).is_none();
        missing.extend(crates.unwrap_or_default().into_iter().filter(absent));
    }
    let says = |(name, version)| {
        format!(
            "skipped: what the pages say of {name} {version}, whose source cargo does not have here"
        )
    };
    missing.into_iter().map(says).collect()
}

/// Whether a crate that is named in this place has the name; `None` if the place is not about other crates. What cannot
/// be looked up may be there.
pub(super) fn has(book: &Book, page: &Page, line: usize, name: &str) -> Option<bool> {
    let section = section(page).filter(|it| it.contains(&line))?;
    let lock = read(&book.root.join("Cargo.lock")).unwrap_or_default();
    let Some(sources) = sources(book, &named(page, &section, &lock)) else {
        return Some(true);
    };
    let word = Regex::new(&format!(r"\b{name}\b")).expect("a name is no regex");
    let mut files = sources
        .iter()
        .flat_map(|it| files_below(&it.join("src"), ".rs"));
    Some(files.any(|file| read(&file).is_ok_and(|text| word.is_match(&text))))
}

fn versions(page: &Page, lock: &str) -> Vec<Complaint> {
    let mut found = Vec::new();
    for block in &page.blocks {
        let (prose, line) = block.prose();
        for it in VERSION.captures_iter(&prose) {
            let (name, version) = (&it[1], &it[2]);
            let known: Vec<&str> = locked(lock)
                .filter(|(other, _)| *other == name)
                .map(|(_, version)| version)
                .collect();
            if !known.is_empty() && !known.iter().any(|it| same(it, version)) {
                let says = format!(
                    "`{name} {version}`: Cargo.lock has {}: say that, and look up anew what the page says of it",
                    known.join(" and ")
                );
                found.push(on(page, line(it.get(1).map_or(0, |it| it.start())), says));
            }
        }
    }
    found
}

/// Whether a page may say this of that version: `1.54` of `1.54.1`.
fn same(version: &str, said: &str) -> bool {
    version == said || version.starts_with(&format!("{said}."))
}

/// The lines in which a page tells of other crates.
fn section(page: &Page) -> Option<Range<usize>> {
    match page.file.as_str() {
        "where-next.md" => Some(0..usize::MAX),
        _ => page.section(2, "In the real world"),
    }
}

/// The crates that these lines name with a version, and those with a hyphen in their name.
fn named(page: &Page, lines: &Range<usize>, lock: &str) -> BTreeSet<(String, String)> {
    let mut prose = String::new();
    for block in page.blocks.iter().filter(|it| lines.contains(&it.line())) {
        prose += &block.prose().0;
        prose.push('\n');
    }
    let with: Vec<(&str, &str)> = VERSION
        .captures_iter(&prose)
        .filter_map(|it| Some((it.get(1)?.as_str(), it.get(2)?.as_str())))
        .collect();
    let words: BTreeSet<&str> = WORD.find_iter(&prose).map(|it| it.as_str()).collect();
    let is_named = |(name, version): &(&str, &str)| {
        let wrong = |said: &str| !locked(lock).any(|it| it.0 == *name && same(it.1, said));
        let mut versions = with.iter().filter(|it| it.0 == *name).peekable();
        match versions.peek() {
            // A wrong version is reported once, and not with each path again.
            Some(_) => versions.any(|it| same(version, it.1) || wrong(it.1)),
            None => words.contains(name) && name.contains('-'),
        }
    };
    let named = locked(lock).filter(is_named);
    named
        .map(|(name, version)| (name.to_owned(), version.to_owned()))
        .collect()
}

/// The sources of all of these, if all are here.
fn sources(book: &Book, crates: &BTreeSet<(String, String)>) -> Option<Vec<PathBuf>> {
    crates.iter().map(|it| source(book, it)).collect()
}

fn source(book: &Book, (name, version): &(String, String)) -> Option<PathBuf> {
    let registries = book.registries.as_ref()?.read_dir().ok()?;
    let places = registries
        .flatten()
        .map(|it| it.path().join(format!("{name}-{version}")));
    places.into_iter().find(|it| it.is_dir())
}

//! What looks like a name from Rust code, and stands in backticks, is in Rust code of the project.

use std::{collections::BTreeSet, path::Path, sync::LazyLock};

use regex::Regex;

use crate::{
    Book, Complaint,
    text::{files_below, read},
};

use super::{crates, on};

static NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\w+::)*([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?:\(\))?$").expect("it is a regex")
});

static WORD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Za-z]\w*").expect("it is a regex"));

/// Where the names of clauses, exercises and dependencies stand.
const LISTS: [&str; 3] = [
    "tools/matrix/matrix.md",
    "exercises/class/catalogue.toml",
    "Cargo.lock",
];

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let known = known(&book.root);
    let mut found = Vec::new();
    for page in &book.pages {
        // A `*Test:*` line has a check of its own.
        let blocks = page
            .blocks
            .iter()
            .filter(|it| !it.text().trim_start().starts_with("Test:"));
        for piece in blocks.flat_map(|block| &block.pieces) {
            let name = NAME.captures(&piece.text).filter(|_| piece.code);
            let Some(name) = name.and_then(|it| it.get(1)).map(|it| it.as_str()) else {
                continue;
            };
            if known.contains(name) {
                continue;
            }
            let elsewhere = match crates::has(book, page, piece.line, name) {
                None => "",
                Some(false) => ", nor a crate that is named here",
                Some(true) => continue,
            };
            let says =
                format!("no Rust file of the project has `{name}`{elsewhere}: use its name of now");
            found.push(on(page, piece.line, says));
        }
    }
    found
}

/// Every name in the Rust files of the project, and in the lists. The cases of this crate's own tests are made up.
fn known(root: &Path) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    let own = root.join("tools/course");
    let files = files_below(root, ".rs").into_iter();
    let lists = LISTS.iter().map(|it| root.join(it));
    for file in files.filter(|it| !it.starts_with(&own)).chain(lists) {
        let text = read(&file)
            .unwrap_or_default()
            .replace("name = \"", "name = ");
        known.extend(WORD.find_iter(&text).map(|it| it.as_str().to_owned()));
    }
    let lock = read(&root.join("Cargo.lock")).unwrap_or_default();
    known.extend(crates::locked(&lock).map(|(name, _)| name.replace('-', "_")));
    known
}

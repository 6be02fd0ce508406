//! Each defect that a page names by its number is in the list of defects.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;

use crate::{Book, Complaint, text::read};

use super::on;

const FILE: &str = "tools/mutants/defects.toml";

static DEFECT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bD\d\d\b").expect("it is a regex"));

static ID: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"(?m)^id = "(D\d\d)""#).expect("it is a regex"));

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let list = read(&book.root.join(FILE)).unwrap_or_default();
    let known: BTreeSet<&str> = ID
        .captures_iter(&list)
        .filter_map(|it| Some(it.get(1)?.as_str()))
        .collect();
    let mut found = Vec::new();
    for page in &book.pages {
        for piece in page.blocks.iter().flat_map(|block| &block.pieces) {
            for defect in DEFECT.find_iter(&piece.text).map(|it| it.as_str()) {
                if !known.contains(defect) {
                    let says = format!("{FILE} has no `{defect}`: name one that it has");
                    found.push(on(page, piece.line, says));
                }
            }
        }
    }
    found
}

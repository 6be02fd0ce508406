//! Each figure in the text is printed by a program, stands in the code on the page, or is asserted by a test.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;
use serde::Deserialize;

use crate::{
    Book, Complaint, Page,
    text::{line_of, read},
};

use super::{UNITS, on, proofs::Proofs};

const FILE: &str = "book/numbers.toml";

static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    // `futures 0.3 polls` is a version.
    let figure = format!(
        r"(?i)(?:^|[^\w.,])(?:(\d[\d,]*)[\s-]*((?:{UNITS})s?)\b|(\d[\d,]*(?:\.\d+)?)\s?(ms|s|seconds|KiB|MiB|%)(?:\W|$))"
    );
    Regex::new(&figure).expect("it is a regex")
});

/// A figure that is proved elsewhere.
#[derive(Debug, Deserialize)]
pub(super) struct Entry {
    page: String,
    text: String,
    source: String,
    says: String,
}

impl Entry {
    /// Whether this place of a paragraph is what it proves.
    pub(super) fn proves(&self, page: &Page, prose: &str, place: &Range<usize>) -> bool {
        let mut places = prose.match_indices(&self.text);
        self.page == page.file
            && places.any(|(start, text)| start <= place.start && place.end <= start + text.len())
    }
}

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let (entries, mut found) = entries(book);
    for page in &book.pages {
        let proofs = Proofs::of(book, page);
        for block in &page.blocks {
            let (prose, line) = block.prose();
            for figure in FIGURE.captures_iter(&prose) {
                let part = |one, other| figure.get(one).or(figure.get(other));
                let (Some(number), Some(unit)) = (part(1, 3), part(2, 4)) else {
                    continue;
                };
                let whole = number.start()..unit.end();
                let listed = entries.iter().any(|it| it.proves(page, &prose, &whole));
                if !listed && !proofs.have(number.as_str(), unit.as_str()) {
                    let says = format!(
                        "nothing proves `{}`: show it in a transcript or in code on this page, name its *Test:*, or list it in {FILE}",
                        &prose[whole.clone()]
                    );
                    found.push(on(page, line(whole.start), says));
                }
            }
        }
    }
    found
}

/// The list of figures that are proved elsewhere, and what is wrong with it.
pub(super) fn entries(book: &Book) -> (Vec<Entry>, Vec<Complaint>) {
    let text = read(&book.root.join(FILE)).unwrap_or_default();
    let table: toml::Table = text.parse().expect("the list of numbers is TOML");
    let list = table.get("number").and_then(toml::Value::as_array);
    let list = list.into_iter().flatten().cloned();
    let entries: Vec<Entry> = list
        .map(|it| it.try_into().expect("it has page, text, source and says"))
        .collect();
    let mut found = Vec::new();
    for entry in &entries {
        let line = line_of(&text, text.find(&entry.text).unwrap_or(0));
        let on_page = book.page(&entry.page).is_some_and(|page| {
            let mut blocks = page.blocks.iter();
            blocks.any(|block| block.prose().0.contains(&entry.text))
        });
        if !on_page {
            let says = format!(
                "`{}` does not say `{}`: take the entry out",
                entry.page, entry.text
            );
            found.push(Complaint::new(FILE, line, says));
        }
        let source = read(&book.root.join(&entry.source)).unwrap_or_default();
        if !says(&source, &entry.says) {
            let says = format!(
                "`{}` does not have `{}`: prove `{}` anew",
                entry.source, entry.says, entry.text
            );
            found.push(Complaint::new(FILE, line, says));
        }
    }
    (entries, found)
}

/// Whether this text stands there, and its last number does not go on.
fn says(source: &str, text: &str) -> bool {
    let ends = |(start, _)| !source[start + text.len()..].starts_with(|c: char| c.is_ascii_digit());
    source.match_indices(text).any(ends)
}

//! Each figure in the text is printed by a program, stands in the code on the page, or is asserted by a test.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use crate::{
    Book, Complaint, Page,
    include::{directives, included, only},
    text::{line_of, read},
};

use super::{UNITS, answers, on};

const FILE: &str = "book/numbers.toml";

static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
    // `futures 0.3 polls` is a version.
    let figure = format!(
        r"(?i)(?:^|[^\w.,])(?:(\d[\d,]*)[\s-]*((?:{UNITS})s?)\b|(\d[\d,]*(?:\.\d+)?)\s?(ms|s|seconds|KiB|MiB|%)(?:\W|$))"
    );
    Regex::new(&figure).expect("it is a regex")
});

static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\d[\d,_]*(?:\.\d+)?").expect("it is a regex"));

/// A figure that is proved elsewhere.
#[derive(Debug, Deserialize)]
struct Entry {
    page: String,
    text: String,
    source: String,
    says: String,
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
                let listed = |it: &Entry| {
                    it.page == page.file
                        && prose.match_indices(&it.text).any(|(start, text)| {
                            start <= whole.start && whole.end <= start + text.len()
                        })
                };
                if !proofs.have(number.as_str(), unit.as_str()) && !entries.iter().any(listed) {
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
fn entries(book: &Book) -> (Vec<Entry>, Vec<Complaint>) {
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
        if !source.contains(&entry.says) {
            let says = format!(
                "`{}` does not have `{}`: prove `{}` anew",
                entry.source, entry.says, entry.text
            );
            found.push(Complaint::new(FILE, line, says));
        }
    }
    (entries, found)
}

/// What a page shows beside its text.
struct Proofs {
    printed: Vec<String>,
    code: Vec<String>,
}

impl Proofs {
    fn of(book: &Book, page: &Page) -> Proofs {
        let src = book.src();
        let shown = |body: &str| only(body).map_or(Some(body.to_owned()), |it| included(&src, &it));
        let (mut printed, mut code) = (Vec::new(), Vec::new());
        for fence in &page.fences {
            let text = shown(&fence.body).unwrap_or_default();
            match fence.info.as_str() {
                "console" | "text" => printed.extend(text.lines().map(str::to_owned)),
                _ => code.push(text),
            }
        }
        // A table that is included, or a picture.
        let free = directives(&page.text);
        let free = free.iter().filter(|it| !it.file.ends_with(".rs"));
        for text in free.filter_map(|it| included(&src, it)) {
            printed.extend(text.lines().map(str::to_owned));
        }
        let tests = answers::tests(page);
        code.extend(tests.iter().filter_map(|it| answers::body(book, it)));
        Proofs { printed, code }
    }

    fn have(&self, number: &str, unit: &str) -> bool {
        let number = bare(number);
        let has = |text: &str| NUMBER.find_iter(text).any(|it| bare(it.as_str()) == number);
        let unit = unit.to_lowercase();
        // Its singular; `ms` has none.
        let unit = unit
            .strip_suffix('s')
            .filter(|it| it.len() > 1)
            .unwrap_or(&unit);
        let mut printed = self.printed.iter();
        printed.any(|line| line.to_lowercase().contains(unit) && has(line))
            || self.code.iter().any(|it| has(it))
    }
}

fn bare(number: &str) -> String {
    number.replace([',', '_'], "")
}

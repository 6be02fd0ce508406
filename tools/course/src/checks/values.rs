//! A figure in a folded answer, in digits or as a word, is in the tests that the answer names.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use crate::{
    Book, Complaint, Page,
    literals::{WORDS, value},
    page::Answer,
};

use super::{
    UNITS,
    numbers::{Entry, entries},
    on,
    proofs::{Proofs, in_code},
    tests::{Test, body, tests},
};

/// Numbers above this are rare enough to be looked for anywhere on the page.
const SMALL: usize = 12;

static NUMERAL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[^\w.,])(\d[\d,]*\d|\d)(?:\W|$)").expect("it is a regex"));

/// A number word with which the answer begins.
static FIRST: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"(?i)^({WORDS})\b")).expect("it is a regex"));

/// A number word before a unit.
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    let counted = format!(r"(?i)\b({WORDS})[ -](?:more )?(?:{UNITS})s?\b");
    Regex::new(&counted).expect("it is a regex")
});

/// The unit behind a number, in the singular.
static UNIT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"(?i)^[ -](?:more )?({UNITS})s?\b")).expect("it is a regex")
});

/// `once` and `twice` at the end of what they say something of.
static OFTEN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(once|twice)(?:[.,:;]| too\b)").expect("it is a regex"));

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let (entries, _) = entries(book);
    let mut found = Vec::new();
    for page in &book.pages {
        let proofs = Proofs::of(book, page);
        let all = tests(page);
        for answer in &page.answers {
            let inside = |it: &&Test| answer.line < it.line && it.line < answer.end;
            let named: Vec<&Test> = all.iter().filter(inside).collect();
            // A test that is not there is reported once, and proves nothing.
            if !named.is_empty() && named.iter().all(|it| body(book, it).is_some()) {
                found.extend(answered(book, page, answer, &named, &entries, &proofs));
            }
        }
    }
    found
}

fn answered(
    book: &Book,
    page: &Page,
    answer: &Answer,
    named: &[&Test],
    entries: &[Entry],
    proofs: &Proofs,
) -> Vec<Complaint> {
    // The test of a whole demo has all that it prints. What proves something is the line of it that the page shows.
    let (demos, named): (Vec<&Test>, Vec<&Test>) = named
        .iter()
        .partition(|it| it.path.ends_with("/transcript.rs"));
    let bodies: Vec<String> = named.iter().filter_map(|it| body(book, it)).collect();
    let proved = |figure: &Figure| {
        let number = figure.value.to_string();
        let unit = figure.unit.as_deref();
        let printed = |unit: &str| !demos.is_empty() && proofs.run(&number, unit);
        bodies.iter().any(|it| in_code(it, &number, unit))
            || unit.is_some_and(printed)
            || (figure.value > SMALL && proofs.show(&number))
    };
    let mut found = Vec::new();
    let mut first = true;
    for block in &answer.blocks {
        let (prose, line) = block.prose();
        if prose.trim_start().starts_with("Test:") {
            continue;
        }
        for figure in figures(&prose, first) {
            let place = &figure.place;
            let listed = || entries.iter().any(|it| it.proves(page, &prose, place));
            if !proved(&figure) && !listed() {
                let test = named.first().or(demos.first());
                let function = test.map_or("", |it| &it.function);
                let says = format!(
                    "`{}` is not in `fn {function}`: say what the test asserts, name the test that does, or list it in book/numbers.toml",
                    &prose[place.clone()]
                );
                found.push(on(page, line(place.start), says));
            }
        }
        first = false;
    }
    found
}

/// A number in an answer.
struct Figure {
    place: Range<usize>,
    value: usize,
    /// What it counts, if the next word says so.
    unit: Option<String>,
}

/// The figures of a paragraph.
fn figures(prose: &str, first: bool) -> Vec<Figure> {
    let mut found = Vec::new();
    let figure = |it: regex::Match<'_>| {
        let text = it.as_str();
        // `chapter 04`, `document 002`.
        let name = text.len() > 1 && text.starts_with('0');
        let value = value(text).or_else(|| text.replace(',', "").parse().ok());
        let unit = UNIT
            .captures(&prose[it.end()..])
            .map(|it| it[1].to_lowercase());
        let unit = unit.filter(|it| !["time", "second"].contains(&it.as_str()));
        let place = it.range();
        value
            .filter(|_| !name)
            .map(|value| Figure { place, value, unit })
    };
    let numerals = NUMERAL.captures_iter(prose).filter_map(|it| it.get(1));
    found.extend(numerals.filter_map(figure));
    if first {
        let word = FIRST.captures(prose).and_then(|it| it.get(1));
        found.extend(word.and_then(figure));
    }
    let counted = COUNTED
        .captures_iter(prose)
        .chain(OFTEN.captures_iter(prose));
    for word in counted.filter_map(|it| it.get(1)) {
        let before = prose[..word.start()].to_lowercase();
        let before = before.split_whitespace().last().unwrap_or("");
        // "both at once", "each of the two wakes"; and "one poll" may be any poll, unless it is counted.
        let is_count = match word.as_str().to_lowercase().as_str() {
            "one" => {
                before.ends_with(',') || ["most", "than", "exactly", "takes"].contains(&before)
            }
            _ => !["at", "the", "its", "these", "of", "all"].contains(&before),
        };
        if is_count {
            found.extend(figure(word));
        }
    }
    found.sort_by_key(|it| it.place.start);
    found.dedup_by_key(|it| it.place.start);
    found
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn figures_are_numerals_and_counts() {
        let values =
            |prose| -> Vec<usize> { figures(prose, true).iter().map(|it| it.value).collect() };
        assert_eq!(values("All 1,000, and 999 of them"), [1_000, 999]);
        assert_eq!(values("The pair three times, both four times."), [3, 4]);
        assert_eq!(values("Two seconds, three polls, one thread."), [2, 3, 1]);
        assert_eq!(values("Eleven times: at the start."), [11]);
        assert_eq!(
            values("The first is polled once, the second twice."),
            [1, 2]
        );
        assert_eq!(
            values("In order, both at once: once more, as in stage 04 one poll"),
            [0; 0]
        );
    }
}

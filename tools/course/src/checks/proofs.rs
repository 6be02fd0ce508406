//! What a page shows beside its text, and what the tests say that it names.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    Book, Page,
    include::{directives, included, only},
    literals::{has, numbers, without_comments},
};

use super::tests;

static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s)<[^>]*>").expect("it is a regex"));

/// The number of a heading in a transcript.
static ORDINAL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\d+\. ").expect("it is a regex"));

/// What can prove a figure on a page.
pub(super) struct Proofs {
    run: Vec<String>,
    printed: Vec<String>,
    code: Vec<String>,
}

impl Proofs {
    pub(super) fn of(book: &Book, page: &Page) -> Proofs {
        let src = book.src();
        let shown = |body: &str| only(body).map_or(Some(body.to_owned()), |it| included(&src, &it));
        let (mut run, mut printed, mut code) = (Vec::new(), Vec::new(), Vec::new());
        for fence in &page.fences {
            let text = shown(&fence.body).unwrap_or_default();
            if fence.info == "console" && only(&fence.body).is_none() {
                run.extend(text.lines().map(str::to_owned));
            }
            match fence.info.as_str() {
                "console" | "text" => printed.extend(text.lines().map(str::to_owned)),
                _ => code.push(without_comments(&text)),
            }
        }
        // A table that is included, or a picture.
        let free = directives(&page.text);
        for it in free.iter().filter(|it| !it.file.ends_with(".rs")) {
            let text = included(&src, it).unwrap_or_default();
            let text = TAG.replace_all(&text, " ");
            printed.extend(text.lines().map(str::to_owned));
        }
        let tests = tests::tests(page);
        code.extend(tests.iter().filter_map(|it| tests::body(book, it)));
        Proofs { run, printed, code }
    }

    /// Whether this number of these is printed, or stands in code.
    pub(super) fn have(&self, number: &str, unit: &str) -> bool {
        let unit = unit.to_lowercase();
        // Its singular; `ms` has none.
        let stem = unit
            .strip_suffix('s')
            .filter(|it| it.len() > 1 && *it != "m")
            .unwrap_or(&unit);
        named(&self.printed, number, stem)
            || self.code.iter().any(|it| in_code(it, number, Some(stem)))
    }

    /// Whether a transcript of a stage, and not of an exhibit, has this number of these.
    pub(super) fn run(&self, number: &str, unit: &str) -> bool {
        named(&self.run, number, unit)
    }

    /// Whether this number is printed or stands in code, of whatever.
    pub(super) fn show(&self, number: &str) -> bool {
        let mut all = self.printed.iter().chain(&self.code);
        all.any(|it| has(it, number))
    }
}

/// Whether this number stands on a line that names the unit.
fn named(lines: &[String], number: &str, unit: &str) -> bool {
    let mut lines = lines.iter().map(|it| ORDINAL.replace(it, ""));
    lines.any(|line| line.to_lowercase().contains(unit) && has(&line, number))
}

/// Whether code has this number of these: where lines with numbers name the unit, on such a line.
pub(super) fn in_code(code: &str, number: &str, unit: Option<&str>) -> bool {
    let Some(unit) = unit else {
        return has(code, number);
    };
    let names = match unit {
        "ms" => "millis",
        "s" | "second" => "secs",
        "time" => return has(code, number),
        _ => unit,
    };
    let mut of_it = code
        .lines()
        .filter(|line| line.to_lowercase().contains(names) && numbers(line).next().is_some())
        .peekable();
    match of_it.peek() {
        Some(_) => of_it.any(|line| has(line, number)),
        None => has(code, number),
    }
}

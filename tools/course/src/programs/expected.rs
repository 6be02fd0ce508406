//! What a package's own tests expect of its output, put beside what it printed.

use std::{path::Path, sync::LazyLock};

use regex::Regex;

use crate::text::{files_below, read};

use super::close::{Figure, Part};

/// A printed line, and how far a page may differ from it.
pub(super) struct Printed {
    pub(super) text: String,
    pattern: Pattern,
    part: Part,
}

/// A line in which `[..]` stands for a figure.
struct Pattern {
    line: Regex,
    figures: Vec<Figure>,
}

static TIME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\s*\b\d+(?:\.\d+)?(\s?(?:ms|µs|ns|s)\b)").expect("it is a regex")
});

static CLOCK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\btime: \d+\.\d+").expect("it is a regex"));

static UNIT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s?(ms|µs|ns|s)\b").expect("it is a regex"));

static HEADING: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\d+\. ").expect("it is a regex"));

/// What the package's own tests expect of the output of this command, text by text.
pub(super) fn expected(root: &Path, command: &str) -> Vec<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let after_p = words.iter().position(|word| *word == "-p");
    let name = after_p.and_then(|place| words.get(place + 1));
    let name = name.unwrap_or(&words[1]);
    let folders = [root.to_owned(), root.join("lab"), root.join("tools")];
    let entries = folders.iter().filter_map(|it| it.read_dir().ok());
    let packages = entries
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let folder = path.file_name().unwrap_or_default().to_string_lossy();
            let rest = folder.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
    let tests = packages.flat_map(|path| files_below(&path.join("tests"), ".rs"));
    let texts = tests.filter_map(|file| read(&file).ok());
    let expected = texts.flat_map(|text| {
        let parts = text.split("r#\"\n").skip(1);
        let parts = parts.filter_map(|part| Some(part.split_once("\"#")?.0.to_owned()));
        parts.collect::<Vec<_>>()
    });
    expected.filter(|text| text.contains("[..]")).collect()
}

/// Puts beside each printed line what the tests expect in its place. Where they are silent, its times may vary.
pub(super) fn aligned(lines: &[String], expected: &[String]) -> Vec<Printed> {
    let mut heading = "";
    let mut printed = Vec::new();
    for text in lines {
        if HEADING.is_match(text) {
            heading = text.split_once(". ").map_or("", |(_, rest)| rest);
        }
        printed.push(Printed {
            pattern: Pattern::new(&timeless(text)),
            part: Part::new(&timeless(heading), &timeless(text)),
            text: text.clone(),
        });
    }
    for expected in expected {
        let (mut place, mut skips) = (0, false);
        for line in expected.lines() {
            if line == "..." {
                skips = true;
                continue;
            }
            let pattern = Pattern::new(line);
            let mut left = lines[place.min(lines.len())..].iter();
            let Some(next) = left
                .position(|it| pattern.line.is_match(it))
                .filter(|it| skips || *it == 0)
            else {
                break;
            };
            place += next + 1;
            skips = false;
            printed[place - 1].pattern = pattern;
        }
    }
    printed
}

/// A line with `[..]` for each time in it.
fn timeless(line: &str) -> String {
    let line = TIME.replace_all(line, "[..]$1");
    CLOCK.replace_all(&line, "time:[..]").into_owned()
}

impl Pattern {
    fn new(line: &str) -> Pattern {
        let parts: Vec<&str> = line.trim_end().split("[..]").collect();
        let figures = parts.windows(2).map(|around| {
            let unit = UNIT.captures(around[1]).map(|it| it[1].to_owned());
            let clock = around[0].trim_end().ends_with("time:");
            match unit.as_deref() {
                Some("ms") => Figure::Time(1.0),
                Some("µs") => Figure::Time(1e-3),
                Some("ns") => Figure::Time(1e-6),
                Some(_) => Figure::Time(1e3),
                None if clock => Figure::Time(1e3),
                None => Figure::Count,
            }
        });
        let figures = figures.collect();
        let parts: Vec<String> = parts.iter().map(|it| regex::escape(it)).collect();
        let line = format!("^{}$", parts.join(r"\s*(\d(?:[\d,.]*\d)?)"));
        let line = Regex::new(&line).expect("its parts are escaped");
        Pattern { line, figures }
    }
}

impl Printed {
    /// Whether a page may show this line for the printed one.
    pub(super) fn may_be(&self, shown: &str) -> bool {
        let both = [shown, &self.text].map(|text| self.pattern.line.captures(text.trim_end()));
        let [Some(shown), Some(printed)] = both else {
            return false;
        };
        let value = |it: &str| it.replace(',', "").parse().unwrap_or(f64::NAN);
        (1..).zip(&self.pattern.figures).all(|(group, figure)| {
            let [shown, printed] = [&shown, &printed].map(|it| value(&it[group]));
            self.part.close(*figure, shown, printed)
        })
    }

    /// Whether a page shows this line with other figures.
    pub(super) fn resembles(&self, shown: &str) -> bool {
        let letters =
            |text: &str| text.replace(|c: char| c.is_ascii_digit() || " ,.".contains(c), "");
        letters(shown) == letters(&self.text)
    }
}

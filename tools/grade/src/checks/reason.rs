//! The line of a screen that says why a test has failed.

use std::sync::LazyLock;

use regex::Regex;

/// A report of the watchdog, from its first line to its last one.
static REPORT: LazyLock<Regex> = LazyLock::new(|| {
    let others = "no future is watched|every watched future is ready|outside any poll for a lock";
    let report = format!(r#"(?m)^ *(task \d+ ".*|.*(?:{others}).*)$(?s:.*)^ *Stopped after "#);
    Regex::new(&report).expect("it is a regex")
});
static PANIC: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("(?m)^ *thread '(tests::)?.* panicked at .*$").expect("it is a regex")
});
/// What the runtime says where no panic can say anything.
static LAST_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    let words = "has overflowed its stack|memory allocation of|fatal runtime error";
    Regex::new(&format!("(?m)^.*(?:{words}).*$")).expect("it is a regex")
});

/// Why a test has failed, in a line: what it said last, since before that it may have printed anything, and may have
/// expected a panic. If it said nothing, how it `ended`.
pub(crate) fn of(screen: &str, ended: &str) -> String {
    let panics: Vec<_> = PANIC.captures_iter(screen).collect();
    let of_test = panics.iter().rfind(|panic| panic.get(1).is_some());
    let below = |panic: &regex::Captures<'_>| &screen[panic.get_match().end()..];
    if let Some(report) = REPORT.captures(of_test.map_or(screen, below)) {
        return report[1].trim().to_owned();
    }
    if let Some(panic) = of_test.or(panics.last()) {
        return message(below(panic)).unwrap_or_else(|| ended.to_owned());
    }
    let last_words = LAST_WORDS.find(screen);
    last_words
        .map_or(ended, |words| words.as_str().trim())
        .to_owned()
}

/// The message of a panic. With that of a bare comparison a reader could do nothing: what was compared is put behind it.
fn message(below: &str) -> Option<String> {
    // What was compared stands so many lines below a message at most.
    let near: Vec<&str> = below.trim_start().lines().take(8).map(str::trim).collect();
    let first = *near.first()?;
    let side = |side: &str| near.iter().find(|line| line.starts_with(side));
    match (side("left: "), side("right: ")) {
        (Some(left), Some(right)) if first.starts_with("assertion `") => {
            let said = first
                .split_once("` failed: ")
                .map_or(first, |(_, said)| said);
            Some(format!("{said} ({left}, {right})"))
        }
        _ => Some(first.to_owned()),
    }
}

//! The line of a screen that says why a test has failed.

/// How the watchdog's reports begin, if not with a task.
const REPORTS: [&str; 3] = [
    "no future is watched",
    "every watched future is ready",
    "waits outside any poll for a lock",
];
/// What the runtime says where no panic can say anything.
const LAST_WORDS: [&str; 3] = [
    "has overflowed its stack",
    "memory allocation of",
    "fatal runtime error",
];
/// What was compared stands so many lines below a message at most.
const NEAR: usize = 8;

/// Why a test has failed, in a line: what it said last, since before that it may have printed anything, and may have
/// expected a panic. If it said nothing, how it `ended`.
pub(crate) fn of(screen: &str, ended: &str) -> String {
    let lines: Vec<_> = screen.lines().map(str::trim).collect();
    let of_test = |line: &str| line.starts_with("thread 'tests::") && is_panic(line);
    let panicked = lines.iter().rposition(|line| of_test(line));
    let watchdog = report(&lines, panicked.unwrap_or(0));
    if let Some(at) = watchdog {
        return lines[at].to_owned();
    }
    let other = || lines.iter().rposition(|line| is_panic(line));
    if let Some(at) = panicked.or_else(other) {
        return message(&lines[at + 1..]).unwrap_or_else(|| ended.to_owned());
    }
    let last_words = |line: &&&str| LAST_WORDS.iter().any(|words| line.contains(words));
    let last_words = lines.iter().find(last_words);
    last_words.map_or(ended, |line| *line).to_owned()
}

fn is_panic(line: &str) -> bool {
    line.starts_with("thread '") && line.contains(" panicked at ")
}

/// Where the watchdog's report begins, if there is a whole one.
fn report(lines: &[&str], from: usize) -> Option<usize> {
    let end = lines
        .iter()
        .rposition(|line| line.starts_with("Stopped after "));
    let end = end.filter(|&end| from < end)?;
    let begins = |line: &str| is_task(line) || REPORTS.iter().any(|part| line.contains(part));
    (from..end).find(|&at| begins(lines[at]))
}

/// Whether it begins as in `task 1 "the bell" returned Pending`.
fn is_task(line: &str) -> bool {
    let numbered = line.strip_prefix("task ").unwrap_or_default();
    numbered
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .starts_with(" \"")
}

/// The message of a panic. With that of a bare comparison a reader could do nothing: what was compared is put behind it.
fn message(below: &[&str]) -> Option<String> {
    let at = below.iter().position(|line| !line.is_empty())?;
    let first = below[at];
    let near = || below[at..].iter().take(NEAR);
    let side = |side: &str| near().find(|line| line.starts_with(side));
    let (Some(left), Some(right), true) = (
        side("left: "),
        side("right: "),
        first.starts_with("assertion `"),
    ) else {
        return Some(first.to_owned());
    };
    let said = first
        .split_once("` failed: ")
        .map_or(first, |(_, said)| said);
    Some(format!("{said} ({left}, {right})"))
}

//! What a demo prints, kept in a file that a page of the book includes. A test runs the demo and compares.
//!
//! Only times may vary: the number behind `time: `, and the number before ` ms` at the head of a line. All else that a demo
//! prints is the same in every run.

use std::{path::Path, process::Command, time::Duration};

use snapbox::{Assert, Data, IntoData, assert::DEFAULT_ACTION_ENV};

use crate::files;
use crate::process::{self, Limits};

/// No demo takes so long, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs `program` once, and compares what it prints with `file`, a path in the package that is tested. The first line of the file
/// is the command, for the reader. `earliest` has the least that each time may be, in their order.
///
/// With `SNAPSHOTS=overwrite` in the environment, a file that differs is written.
///
/// # Panics
///
/// If they differ, or a time is too early, or the program fails or does not end within a minute.
#[track_caller]
pub fn check(file: &str, program: &str, earliest: &[f64]) {
    check_in_parts(file, &[], program, earliest);
}

/// As [`check`], for a run whose later parts have files of their own, because the page shows each of them where it explains it.
/// `parts` has the numbers of the parts that begin a file: what a demo prints from the line with `3. ` at its head is in
/// `tests/transcript-3.txt`, if `file` is `tests/transcript.txt`. `file` ends with a line `…`, so that a reader sees that the run
/// goes on.
///
/// # Panics
///
/// As [`check`], and if no line begins a part.
#[track_caller]
pub fn check_in_parts(file: &str, parts: &[u32], program: &str, earliest: &[f64]) {
    let first = files::read(Path::new(file)).unwrap_or_else(|error| panic!("{error}"));
    let (command, _) = first.split_once('\n').expect("the first line is a command");
    let ran = process::run(&mut Command::new(program), Limits::time(LIMIT))
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(ran.end.is_success(), "it {}:\n{}", ran.end, ran.stderr);
    are_late_enough(&ran.stdout, earliest).unwrap_or_else(|why| panic!("{file}: {why}"));
    let stem = file.strip_suffix(".txt").expect("the file is a .txt");
    let names = [file.to_owned()].into_iter();
    let names = names.chain(parts.iter().map(|part| format!("{stem}-{part}.txt")));
    let printed = in_parts(&format!("{command}\n{}", ran.stdout), parts);
    let files = Vec::from_iter(names.zip(printed));
    // A part that is new has no file yet.
    let read = |name: &str| files::read(Path::new(name)).unwrap_or_default();
    let all: String = files.iter().map(|(name, _)| read(name)).collect();
    let is_kept_early = are_late_enough(&all, earliest).is_err();
    for (name, printed) in files {
        if is_kept_early || without_times(&read(&name)).0 != without_times(&printed).0 {
            compare(&name, &printed);
        }
    }
}

/// The text up to the first of these parts, with a sign that it goes on, and then each part.
fn in_parts(text: &str, parts: &[u32]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = text;
    for part in parts {
        let head = format!("\n{part}. ");
        let at = rest.find(&head);
        let (before, after) = rest.split_at(at.unwrap_or_else(|| panic!("no part {part}")) + 1);
        texts.push(before.to_owned());
        rest = after;
    }
    texts.push(rest.to_owned());
    if !parts.is_empty() {
        texts[0] += "…\n";
    }
    texts
}

/// Compares a text with that of a file, a path in the package that is tested. With `SNAPSHOTS=overwrite` in the environment, a file that
/// differs is written.
///
/// # Panics
///
/// If they differ.
#[track_caller]
pub fn compare(file: &str, text: &str) {
    let path = Path::new(file);
    if files::read(path).is_ok_and(|kept| kept == text) {
        return;
    }
    let assert = Assert::new().action_env(DEFAULT_ACTION_ENV);
    let kept = Data::read_from(path, None);
    assert.eq(text.to_owned().into_data().raw(), kept.raw());
}

/// Whether each time in a text is there, and as late as it has to be.
fn are_late_enough(text: &str, earliest: &[f64]) -> Result<(), String> {
    let (_, times) = without_times(text);
    let is_early = times.iter().zip(earliest).any(|(time, least)| time < least);
    if is_early || times.len() != earliest.len() {
        return Err(format!(
            "the times are {times:?}, and at the earliest {earliest:?}"
        ));
    }
    Ok(())
}

/// The lines with `[..]` instead of each time, and these times. Spaces before a time, which align it with others, are left out.
fn without_times(text: &str) -> (Vec<String>, Vec<f64>) {
    let mut times = Vec::new();
    let without_time = |line: &str| {
        let (before, rest) = match line.split_once("time: ") {
            Some((before, rest)) => (format!("{before}time: "), rest),
            None => (String::new(), line.trim_start()),
        };
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let number = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
        let after = &rest[number.len()..];
        match number.parse() {
            Ok(time) if !before.is_empty() || after.starts_with(" ms") => {
                times.push(time);
                format!("{before}[..]{after}")
            }
            _ => line.to_owned(),
        }
    };
    (text.lines().map(without_time).collect(), times)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: &str = "1. After 400 ms\n    0 ms  a\n   polls: 5, time: 400 ms\nAt time: 1.00.\n";

    fn is_same_with(from: &str, to: &str) -> bool {
        without_times(KEPT).0 == without_times(&KEPT.replace(from, to)).0
    }

    #[test]
    fn a_time_may_be_another_and_nothing_else_may_differ() {
        assert!(is_same_with("    0 ms", " 1000 ms"));
        assert!(is_same_with("time: 400", "time: 4000.5"));
        assert!(is_same_with("1.00", "2.50"));
        for (from, to) in [
            ("After 400", "After 401"),
            ("polls: 5", "polls: 6"),
            ("time: 400 ms", "time: 400 s"),
            ("time: 400", "time: no"),
            ("At time: 1.00.\n", ""),
            ("1.00.\n", "1.00.\nand this\n"),
        ] {
            assert!(!is_same_with(from, to), "{to}");
        }
    }

    #[test]
    fn no_time_is_early_and_the_test_names_each() {
        let earliest = [0.0, 400.0, 1.0];
        assert_eq!(are_late_enough(KEPT, &earliest), Ok(()));
        let text = "the times are [0.0, 399.0, 1.0], and at the earliest [0.0, 400.0, 1.0]";
        let early = KEPT.replace("time: 400", "time: 399");
        assert_eq!(are_late_enough(&early, &earliest).unwrap_err(), text);
        assert!(are_late_enough(KEPT, &earliest[..2]).is_err());
    }

    #[test]
    fn a_part_reaches_from_its_number_to_the_next_that_is_named() {
        let text = "$ run\n1. a\n   2. no\n2. b\n3. c\n   d\n";
        let parts = ["$ run\n1. a\n   2. no\n2. b\n…\n", "3. c\n   d\n"];
        assert_eq!(in_parts(text, &[3]), parts);
        assert_eq!(in_parts(text, &[2, 3])[1..], ["2. b\n", parts[1]]);
        assert_eq!(in_parts(text, &[]), [text]);
    }

    #[test]
    #[should_panic = "no part 4"]
    fn a_part_that_is_not_printed_is_named() {
        in_parts("1. a\n3. b\n", &[4]);
    }

    #[test]
    #[should_panic = "stale.txt"]
    fn a_file_that_differs_is_named() {
        compare("no/stale.txt", "a text");
    }
}

//! What a demo prints, kept in a file that a page of the book includes. A test runs the demo and compares.
//!
//! Only times may vary: the number behind `time: `, and the number before ` ms` at the head of a line. All else that a demo
//! prints is the same in every run.

use std::{env, fs, path::Path, process::Command, time::Duration};

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
    let kept = files::read(Path::new(file)).unwrap_or_else(|error| panic!("{error}"));
    let (command, kept) = kept.split_once('\n').expect("the first line is a command");
    let ran = process::run(&mut Command::new(program), Limits::time(LIMIT))
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(ran.end.is_success(), "it {}:\n{}", ran.end, ran.stderr);
    let Err(problem) = compare(kept, &ran.stdout, earliest) else {
        return;
    };
    if env::var("SNAPSHOTS").is_ok_and(|it| it == "overwrite") {
        let text = format!("{command}\n{}", ran.stdout);
        return fs::write(file, text).expect("the file can be written");
    }
    panic!("{file}{problem}\nIf the program is right, run this test with SNAPSHOTS=overwrite.");
}

/// The first difference, as `:line: …`. The first line of a file is its command.
fn compare(kept: &str, printed: &str, earliest: &[f64]) -> Result<(), String> {
    let [(old, old_times), (new, new_times)] = [kept, printed].map(without_times);
    if old != new {
        let same = old.iter().zip(&new).take_while(|(old, new)| old == new);
        let same = same.count();
        let [old, new] = [&old, &new].map(|it| it.get(same).map_or("(no line)", String::as_str));
        let (line, lines) = (same + 2, format!("  file:    {old}\n  printed: {new}"));
        return Err(format!(":{line}: stale\n{lines}"));
    }
    for times in [old_times, new_times] {
        let is_early = times.iter().zip(earliest).any(|(time, least)| time < least);
        if is_early || times.len() != earliest.len() {
            let why = format!("the times are {times:?}, and at the earliest {earliest:?}");
            return Err(format!(": {why}"));
        }
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

    fn changed(from: &str, to: &str) -> Result<(), String> {
        compare(KEPT, &KEPT.replace(from, to), &[0.0, 400.0, 1.0])
    }

    #[test]
    fn a_time_may_be_later_and_nothing_else_may_differ() {
        assert_eq!(changed("    0 ms", " 1000 ms"), Ok(()));
        assert_eq!(changed("time: 400", "time: 4000.5"), Ok(()));
        assert_eq!(changed("1.00", "2.50"), Ok(()));
        for (from, to) in [
            ("After 400", "After 401"),
            ("polls: 5", "polls: 6"),
            ("time: 400 ms", "time: 400 s"),
            ("time: 400", "time: no"),
            ("At time: 1.00.\n", ""),
        ] {
            assert!(changed(from, to).is_err(), "{to}");
        }
        let text = ":6: stale\n  file:    (no line)\n  printed: and this".to_owned();
        assert_eq!(changed("1.00.\n", "1.00.\nand this\n"), Err(text));
    }

    #[test]
    fn no_time_is_early_and_the_test_names_each() {
        let text = ": the times are [0.0, 399.0, 1.0], and at the earliest [0.0, 400.0, 1.0]";
        assert_eq!(changed("time: 400", "time: 399").unwrap_err(), text);
        assert!(compare(KEPT, KEPT, &[0.0, 400.0]).is_err());
    }
}

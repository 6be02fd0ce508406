//! What a demo prints, kept in a file that a page of the book includes. A test runs the demo and compares.
//!
//! The file holds a real run, figures included. Some figures differ from run to run, such as times, and those are not
//! compared. A test names each of them by the text around it, such as `time: [..] ms`, or, if it stands behind another one,
//! `looks: [..], time: [..] ms`.

use std::{env, fs, ops::Range, path::Path, process::Command, time::Duration};

use crate::{
    files,
    process::{self, Limits},
};

/// No demo takes so long, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// A machine that stands still for a moment may let two timers end together, and then the lines come in another order.
const TRIES: usize = 3;

/// A line of standard error that begins so is about this machine, and not a part of the transcript.
const NOTE: &str = "note: ";

const HINT: &str =
    "\nIf the program is right, run this test with SNAPSHOTS=overwrite in the environment.";

/// Runs `program`, the demo of `package`, and compares what it prints with `tests/transcript.txt` of that package,
/// except for the figures in `varies`. With `SNAPSHOTS=overwrite` in the environment, a file that differs is written.
///
/// Returns the figures that vary, in their order: those of the file, and those that were printed. The test says of both
/// what is certain of them, such as that no timer is early.
///
/// # Panics
///
/// If they differ in three runs, or one of `varies` names no figure in what is printed, or not `N` figures vary, or the
/// program fails, prints an error, or does not end within a minute.
#[track_caller]
pub fn check<const N: usize>(package: &str, program: &str, varies: &[&str]) -> [[f64; N]; 2] {
    check_run(package, "", "transcript", program, varies)
}

/// As [`check`], for the program `bin` of a package that has several: `tests/<bin>.txt`, and `cargo run -p … --bin …`.
///
/// # Panics
///
/// As [`check`].
#[track_caller]
pub fn check_bin<const N: usize>(
    package: &str,
    bin: &str,
    program: &str,
    varies: &[&str],
) -> [[f64; N]; 2] {
    check_run(package, &format!(" --bin {bin}"), bin, program, varies)
}

#[track_caller]
fn check_run<const N: usize>(
    package: &str,
    which: &str,
    name: &str,
    program: &str,
    varies: &[&str],
) -> [[f64; N]; 2] {
    let file = files::root()
        .join(package)
        .join(format!("tests/{name}.txt"));
    let overwrite = env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite");
    let run = || {
        Ok(format!(
            "$ cargo run -p {package}{which}\n{}",
            printed(&mut Command::new(program))?
        ))
    };
    compared(&file, overwrite, varies, run)
        .and_then(|texts| {
            let [kept, printed] = texts.map(|text| varying(&text, varies));
            Ok([kept?, printed?])
        })
        .unwrap_or_else(|problem| panic!("{}{problem}", files::shown(&files::root(), &file)))
}

/// The figures that vary, if there are `N`.
fn varying<const N: usize>(text: &str, varies: &[&str]) -> Result<[f64; N], String> {
    let figures = masked(text, varies).1;
    let count = figures.len();
    figures
        .try_into()
        .map_err(|_| format!(": {count} figures vary, and the test reads {N}"))
}

/// What the program writes to standard output.
fn printed(program: &mut Command) -> Result<String, String> {
    let ran = process::run(program, Limits::time(LIMIT))
        .map_err(|error| format!(": {}: {error}", program.get_program().to_string_lossy()))?;
    let errors: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| !line.starts_with(NOTE))
        .collect();
    if !ran.end.is_success() || !errors.is_empty() {
        let (end, errors) = (ran.end, errors.join("\n"));
        return Err(format!(
            ": the program does not end well: {end:?}\n{errors}"
        ));
    }
    Ok(ran.stdout)
}

fn compared(
    file: &Path,
    overwrite: bool,
    varies: &[&str],
    run: impl Fn() -> Result<String, String>,
) -> Result<[String; 2], String> {
    let mut difference = String::new();
    for _ in 0..TRIES {
        let printed = run()?;
        let figures = masked(&printed, varies).0;
        if let Some(figure) = varies.iter().find(|figure| !figures.contains(**figure)) {
            return Err(format!(": no number is printed where {figure:?} says"));
        }
        let kept = files::read(file).map_err(|error| format!(": {}", error.kind()));
        match kept.and_then(|kept| same(&kept, &printed, varies).map(|()| kept)) {
            Ok(kept) => return Ok([kept, printed]),
            Err(_) if overwrite => {
                fs::write(file, &printed).map_err(|error| format!(": {error}"))?;
                return Ok([printed.clone(), printed]);
            }
            Err(other) => difference = other,
        }
    }
    Err(difference + HINT)
}

/// The first difference, as `:line: …`.
fn same(kept: &str, printed: &str, varies: &[&str]) -> Result<(), String> {
    let masks = [kept, printed].map(|text| masked(text, varies).0);
    let [mut kept_lines, mut printed_lines] = [kept, printed].map(str::lines);
    let [mut kept_masks, mut printed_masks] = masks.each_ref().map(|text| text.lines());
    for line in 1.. {
        let [old, new] = [kept_lines.next(), printed_lines.next()];
        if kept_masks.next() != printed_masks.next() {
            let [old, new] = [old, new].map(|line| line.unwrap_or("(no line)"));
            return Err(format!(
                ":{line}: stale\n  file:    {old}\n  printed: {new}"
            ));
        }
        if old.is_none() {
            break;
        }
    }
    Ok(())
}

/// The text with `[..]` for each number that one of `varies` names by its last `[..]`, and these numbers. Several spaces
/// before such a number, which align it with others, become one.
fn masked(text: &str, varies: &[&str]) -> (String, Vec<f64>) {
    let (mut masked, mut figures, mut from) = (String::new(), Vec::new(), 0);
    for number in numbers(text) {
        masked += &text[from..number.start];
        from = number.start;
        let aligned = masked.trim_end_matches(' ').len() + 1;
        let before = &masked[..aligned.min(masked.len())];
        if varies.iter().any(|figure| {
            let (head, tail) = figure.rsplit_once("[..]").expect("a figure has its `[..]`");
            before.ends_with(head) && text[number.end..].starts_with(tail)
        }) {
            masked.truncate(before.len());
            masked += "[..]";
            from = number.end;
            // What is no number after all, such as a version, is at no bound.
            figures.push(text[number].parse().unwrap_or(f64::NAN));
        }
    }
    (masked + &text[from..], figures)
}

/// Where the numbers of a text are: digits, and a point if digits follow.
fn numbers(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = &text[from..];
        let start = from + rest.find(|c: char| c.is_ascii_digit())?;
        let is_in = |c: char| c.is_ascii_digit() || c == '.';
        let length = text[start..].find(|c| !is_in(c));
        let end = length.map_or(text.len(), |length| start + length);
        from = end;
        Some(start..start + text[start..end].trim_end_matches('.').len())
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::scratch::Scratch;

    const KEPT: &str = "$ demo\n1. Two timers\n    0 ms  a\n   polls: 5, time: 400 ms\n2. A busy one\n   polls: 99\n";

    fn compare(printed: &str, varies: &[&str]) -> Result<(), String> {
        same(KEPT, printed, varies)
    }

    #[test]
    fn a_figure_that_varies_may_be_any_number_and_no_other_may() {
        let varies = ["time: [..] ms", "\n [..] ms  a"];
        let slower = KEPT
            .replace("400 ms", "40000.5 ms")
            .replace(" 0 ms", "120 ms");
        assert_eq!(compare(&slower, &varies), Ok(()));
        let without_a_number = KEPT.replace("400 ms", "no ms");
        assert!(compare(&without_a_number, &varies).is_err());
        assert_eq!(
            compare(&slower.replace("polls: 5", "polls: 6"), &varies),
            Err(":4: stale\n  file:       polls: 5, time: 400 ms\n  printed:    polls: 6, time: 40000.5 ms".into())
        );
    }

    #[test]
    fn the_text_around_a_figure_may_go_over_several_lines() {
        let varies = ["A busy one\n   polls: [..]"];
        assert_eq!(compare(&KEPT.replace("99", "1000000"), &varies), Ok(()));
        assert!(compare(&KEPT.replace("polls: 5", "polls: 6"), &varies).is_err());
    }

    #[test]
    fn a_figure_may_stand_behind_another_one() {
        let varies = ["polls: [..],", "polls: [..], time: [..] ms"];
        let other = KEPT.replace("5, time: 400", "6, time: 500");
        assert_eq!(compare(&other, &varies), Ok(()));
        assert!(compare(&other, &varies[1..]).is_err());
    }

    #[test]
    fn the_figures_that_vary_are_read_in_their_order() {
        let varies = ["polls: [..]\n", "time: [..] ms", "\n [..] ms  a"];
        let other = KEPT.replace("400 ms", "400.5 ms");
        assert_eq!(varying(&other, &varies), Ok([0.0, 400.5, 99.0]));
        let too_few: Result<[f64; 2], _> = varying(KEPT, &varies);
        let text = ": 3 figures vary, and the test reads 2";
        assert_eq!(too_few, Err(text.to_owned()));
    }

    #[test]
    fn a_line_too_few_or_too_many_is_a_difference() {
        let more = format!("{KEPT}and this\n");
        assert_eq!(
            compare(&more, &[]),
            Err(":7: stale\n  file:    (no line)\n  printed: and this".into())
        );
        let fewer = KEPT.replace("   polls: 99\n", "");
        assert_eq!(
            compare(&fewer, &[]),
            Err(":6: stale\n  file:       polls: 99\n  printed: (no line)".into())
        );
    }

    #[test]
    fn a_figure_that_is_nowhere_printed_is_an_error() {
        let folder = Scratch::new();
        let file = folder.0.join("transcript.txt");
        let run = || Ok("looks: 7\n".to_owned());
        let error = compared(&file, true, &["polls: [..]"], run).unwrap_err();
        assert_eq!(error, ": no number is printed where \"polls: [..]\" says");
    }

    #[test]
    fn a_file_is_missing_then_written_then_right_and_then_stale_in_three_tries() {
        let folder = Scratch::new();
        let file = folder.0.join("transcript.txt");
        let check = |printed: &str, overwrite| {
            let tries = Cell::new(0);
            let run = || {
                tries.set(tries.get() + 1);
                Ok(printed.to_owned())
            };
            (
                compared(&file, overwrite, &["looks: [..]"], run),
                tries.get(),
            )
        };
        let pair = |one: &str, other: &str| Ok([one.to_owned(), other.to_owned()]);
        assert!(check("looks: 7\n", false).0.is_err());
        assert_eq!(
            check("looks: 7\n", true),
            (pair("looks: 7\n", "looks: 7\n"), 1)
        );
        // Nothing to write: only a figure that varies is another one.
        assert_eq!(
            check("looks: 8\n", true),
            (pair("looks: 7\n", "looks: 8\n"), 1)
        );
        let (stale, tries) = check("looks: 7\nend\n", false);
        assert!(stale.unwrap_err().starts_with(":2: stale"));
        assert_eq!(tries, TRIES);
    }

    #[test]
    fn one_right_run_of_three_is_enough() {
        let folder = Scratch::new();
        let file = folder.0.join("transcript.txt");
        fs::write(&file, "a\r\nb\r\n").unwrap();
        let runs = Cell::new(0);
        let run = || {
            runs.set(runs.get() + 1);
            Ok(if runs.get() < TRIES {
                "b\na\n"
            } else {
                "a\nb\n"
            }
            .to_owned())
        };
        assert!(compared(&file, false, &[], run).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_fails_or_prints_an_error_is_reported_and_a_note_is_not() {
        let printed = |script| printed(Command::new("sh").args(["-c", script]));
        let fine = printed("echo out; echo 'note: few sockets' >&2");
        assert_eq!(fine, Ok("out\n".to_owned()));
        assert!(
            printed("echo 'a task panicked' >&2")
                .unwrap_err()
                .contains("a task panicked")
        );
        assert!(printed("exit 3").unwrap_err().contains("does not end well"));
    }
}

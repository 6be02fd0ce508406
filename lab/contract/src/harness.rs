//! A test program with `harness = false`, for tests that no attribute can list: one for each cell of a table, say. It takes
//! the arguments of `cargo test` that people use, and prints what they expect.

use std::{
    env,
    io::{self, Write},
    process::ExitCode,
    sync::{Mutex, OnceLock},
    thread,
    time::Instant,
};

use crate::lock::lock;

/// A test with a name.
#[expect(missing_debug_implementations, reason = "a function shows nothing")]
pub struct Test<'a> {
    /// What a filter is compared with.
    pub name: String,
    /// When it is started.
    pub turn: Turn,
    /// `Ok` has a line for `--report`, which may be empty, or nothing if there was nothing to test. `Err` says what is wrong.
    pub run: Box<dyn Fn() -> Result<Option<String>, String> + Send + Sync + 'a>,
}

/// When a test is started, in the order in which they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// Before the others, because it takes longest, and is asleep for most of that time.
    First,
    /// It does not matter.
    Any,
    /// After the others, because it waits until none of them runs, and lets none begin meanwhile.
    Last,
}

const USAGE: &str = "it runs the tests with one of these in their names: [NAME…] [--skip NAME] [--exact] [--test-threads NUMBER] [--list] [--report] [--stress SECONDS [--seed NUMBER]]";

/// Runs those tests that the command line asks for, `at_once` at a time.
///
/// With `--report`, standard output has the lines of the tests that pass, in the order of the tests, and nothing else.
pub fn main(at_once: usize, tests: Vec<Test<'_>>) -> ExitCode {
    let (mut options, mut filters, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    let mut at_once = at_once;
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--exact" | "--list" | "--ignored" | "--report" => options.push(argument),
            // What `cargo test` passes to every program of a package. Here it changes nothing.
            "--nocapture" | "--no-capture" | "--show-output" | "--quiet" | "-q"
            | "--include-ignored" => {}
            "--skip" => skipped.extend(arguments.next()),
            option if option.starts_with("--skip=") => {
                skipped.push(option["--skip=".len()..].to_owned())
            }
            "--test-threads" => at_once = threads(arguments.next().as_deref()).unwrap_or(at_once),
            option if option.starts_with("--test-threads=") => {
                at_once = threads(Some(&option["--test-threads=".len()..])).unwrap_or(at_once);
            }
            "--format" | "--color" => drop(arguments.next()),
            option if option.starts_with("--format=") || option.starts_with("--color=") => {}
            "--help" | "-h" => return print(&format!("{USAGE}\n"), 0),
            option if option.starts_with('-') => {
                eprintln!("unexpected argument {option:?}: {USAGE}");
                return ExitCode::from(2);
            }
            _ => filters.push(argument),
        }
    }
    let has = |option: &str| options.iter().any(|given| given == option);
    let is_wanted = |test: &Test<'_>| {
        let is = |filter: &String| {
            if has("--exact") {
                test.name == *filter
            } else {
                test.name.contains(filter)
            }
        };
        let is_skipped = skipped.iter().any(is);
        // None of them is ignored.
        !has("--ignored") && !is_skipped && (filters.is_empty() || filters.iter().any(is))
    };
    let (start, all) = (Instant::now(), tests.len());
    let wanted = tests.into_iter().filter(is_wanted);
    let wanted: Vec<_> = wanted.map(|test| (test, OnceLock::new())).collect();
    if has("--list") {
        let names = wanted
            .iter()
            .map(|(test, _)| format!("{}: test\n", test.name));
        return print(&names.collect::<String>(), 0);
    }
    let mut in_turn: Vec<_> = wanted.iter().collect();
    in_turn.sort_by_key(|(test, _)| test.turn);
    let left = Mutex::new(in_turn.into_iter());
    let next = || lock(&left).next();
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some((test, result)) = next() {
                    result.get_or_init(&test.run);
                }
            });
        }
    });
    let (mut failed, mut ignored, mut report) = (0, 0, String::new());
    for (test, result) in &wanted {
        match result.get() {
            Some(Err(message)) => {
                failed += 1;
                eprintln!("test {} ... FAILED\n{message}\n", test.name);
            }
            Some(Ok(None)) => ignored += 1,
            Some(Ok(Some(line))) if !line.is_empty() => report += &format!("{line}\n"),
            _ => {}
        }
    }
    // The status of libtest.
    let status = if failed == 0 { 0 } else { 101 };
    if has("--report") {
        return print(&report, status);
    }
    let (count, ok) = (wanted.len(), if failed == 0 { "ok" } else { "FAILED" });
    let (passed, left_out) = (count - failed - ignored, all - count);
    let time = start.elapsed().as_secs_f64();
    let result = format!(
        "\nrunning {count} tests\n\ntest result: {ok}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; {left_out} filtered out; finished in {time:.2}s\n\n"
    );
    print(&result, status)
}

/// How many tests at a time, if that is a number.
fn threads(value: Option<&str>) -> Option<usize> {
    value?.parse().ok().filter(|number| *number > 0)
}

fn print(text: &str, status: u8) -> ExitCode {
    // An error says that the output is closed.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::from(status)
}

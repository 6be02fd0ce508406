//! A test program with `harness = false`, for tests that no attribute can list: one for each cell of a table, say. It takes
//! the arguments of `cargo test` that people use, and prints what they expect.

use std::{
    env,
    io::{self, Write},
    num::NonZero,
    process::ExitCode,
    sync::Mutex,
    thread,
    time::Instant,
};

use crate::lock::lock;

/// A test with a name.
#[expect(missing_debug_implementations, reason = "a function shows nothing")]
pub struct Test<'a> {
    /// What a filter is compared with.
    pub name: String,
    /// It may take long: it is started before the others, which go on beside it.
    pub is_slow: bool,
    /// `Ok` has a line for `--report`, which may be empty. `Err` says what is wrong.
    pub run: Box<dyn Fn() -> Result<String, String> + Send + Sync + 'a>,
}

/// What a program was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Arguments {
    filters: Vec<String>,
    exact: bool,
    list: bool,
    /// Only what is ignored, which is nothing here.
    ignored: bool,
    report: bool,
    help: bool,
}

const USAGE: &str = "[NAME…] [--exact] [--list] [--report] [--help]";

impl Arguments {
    /// The first argument that it does not know is the error.
    fn parse(mut from: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut arguments = Arguments::default();
        while let Some(argument) = from.next() {
            match argument.as_str() {
                "--exact" => arguments.exact = true,
                "--list" => arguments.list = true,
                "--ignored" => arguments.ignored = true,
                "--report" => arguments.report = true,
                "--help" | "-h" => arguments.help = true,
                // What `cargo test` passes to every program of a package. Here it changes nothing.
                "--nocapture" | "--no-capture" | "--show-output" | "--quiet" | "-q"
                | "--include-ignored" => {}
                "--test-threads" | "--format" | "--color" => drop(from.next()),
                it if it.starts_with("--test-threads=") || it.starts_with("--color=") => {}
                it if it.starts_with('-') => return Err(argument),
                _ => arguments.filters.push(argument),
            }
        }
        Ok(arguments)
    }

    fn wants(&self, name: &str) -> bool {
        let is = |filter: &String| match self.exact {
            true => name == filter,
            false => name.contains(filter.as_str()),
        };
        !self.ignored && (self.filters.is_empty() || self.filters.iter().any(is))
    }
}

/// Runs those tests that the command line asks for, `at_once` at a time.
///
/// With `--report`, standard output has the lines of the tests that pass, in the order of the tests, and nothing else.
pub fn main(at_once: usize, tests: Vec<Test<'_>>) -> ExitCode {
    let arguments = match Arguments::parse(env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(unknown) => {
            eprintln!("unexpected argument {unknown:?}: {USAGE}");
            return ExitCode::from(2);
        }
    };
    if arguments.help {
        return print(
            &format!("Runs the tests whose names have one of these in them: {USAGE}\n"),
            0,
        );
    }
    let start = Instant::now();
    let all = tests.len();
    let wanted = tests.into_iter().filter(|test| arguments.wants(&test.name));
    let mut wanted: Vec<_> = wanted.enumerate().collect();
    if arguments.list {
        let names = wanted.iter().map(|(_, it)| format!("{}: test\n", it.name));
        return print(&names.collect::<String>(), 0);
    }
    let (count, left_out) = (wanted.len(), all - wanted.len());
    wanted.sort_by_key(|(_, test)| !test.is_slow);
    let run = |(place, test): (usize, Test<'_>)| (place, (test.run)(), test.name);
    let mut ran = each(at_once, wanted, run);
    ran.sort_by_key(|(place, ..)| *place);
    let (mut failed, mut report) = (0, String::new());
    for (_, result, name) in ran {
        match result {
            Ok(line) if line.is_empty() => {}
            Ok(line) => report += &(line + "\n"),
            Err(message) => {
                failed += 1;
                eprintln!("test {name} ... FAILED\n{message}\n");
            }
        }
    }
    // The status of libtest.
    let status = if failed == 0 { 0 } else { 101 };
    if arguments.report {
        return print(&report, status);
    }
    let (ok, passed) = (if failed == 0 { "ok" } else { "FAILED" }, count - failed);
    let time = start.elapsed().as_secs_f64();
    let result = format!(
        "\nrunning {count} tests\n\ntest result: {ok}. {passed} passed; {failed} failed; 0 ignored; 0 measured; {left_out} filtered out; finished in {time:.2}s\n\n"
    );
    print(&result, status)
}

fn print(text: &str, status: u8) -> ExitCode {
    // An error says that the output is closed.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::from(status)
}

/// How many things the machine can do at once.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Does the same work on many things, so many at a time. The answers come in the order of the things.
pub(crate) fn each<Item: Send, Answer: Send>(
    at_once: usize,
    items: Vec<Item>,
    work: impl Fn(Item) -> Answer + Sync,
) -> Vec<Answer> {
    let left = Mutex::new(items.into_iter().enumerate());
    let answers = Mutex::new(Vec::new());
    let next = || lock(&left).next();
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some((place, item)) = next() {
                    let answer = work(item);
                    lock(&answers).push((place, answer));
                }
            });
        }
    });
    let mut answers = std::mem::take(&mut *lock(&answers));
    answers.sort_by_key(|(place, _)| *place);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        Arguments::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn filters_are_parts_of_names_or_whole_names() {
        let part = parse("a::b --nocapture --test-threads 3 c").unwrap();
        assert!(part.wants("xa::bx") && part.wants("c") && !part.wants("a::x"));
        let whole = parse("--exact a::b").unwrap();
        assert!(whole.wants("a::b") && !whole.wants("a::bx"));
        assert!(parse("").unwrap().wants("anything"));
        assert!(!parse("--ignored").unwrap().wants("anything"));
    }

    #[test]
    fn an_unknown_argument_is_refused() {
        assert_eq!(parse("a --nonsense"), Err("--nonsense".to_owned()));
    }
}

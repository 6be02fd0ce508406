//! The transcripts of the pages, against what the programs print now.

use std::{
    collections::BTreeMap,
    env, io,
    io::{Read, Seek},
    path::Path,
    process::{Command, Stdio},
    sync::{LazyLock, Mutex, PoisonError},
    thread,
    time::Duration,
};

use regex::Regex;
use wait_timeout::ChildExt;

use crate::{
    Book, Complaint,
    include::only,
    text::{files_below, read},
};

/// How long a command may take. It may have to be built first.
const LIMIT: Duration = Duration::from_secs(300);

/// How often a command is tried: two threads on a busy machine may print in another order.
const TRIES: usize = 3;

/// How many run at a time. Most of them sleep.
const AT_ONCE: usize = 4;

/// A transcript on a page.
#[derive(Debug)]
struct Transcript {
    page: String,
    /// The line of its command.
    line: usize,
    /// The lines below the command.
    shown: Vec<String>,
}

/// Runs each command that a page shows with what it prints, and says what it does not print.
pub fn complaints(book: &Book) -> Vec<Complaint> {
    let (commands, mut found) = commands(book);
    let commands = Mutex::new(commands);
    let all = Mutex::new(Vec::new());
    let next = || {
        let mut commands = commands.lock().unwrap_or_else(PoisonError::into_inner);
        commands.pop_first()
    };
    let root = &book.root;
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((command, transcripts)) = next() {
                    let found = compare(root, &command, &transcripts);
                    all.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .extend(found);
                }
            });
        }
    });
    found.extend(all.into_inner().unwrap_or_else(PoisonError::into_inner));
    found.sort();
    found
}

/// The commands with their transcripts, and those that cannot be run.
fn commands(book: &Book) -> (BTreeMap<String, Vec<Transcript>>, Vec<Complaint>) {
    let (mut commands, mut found) = (BTreeMap::<_, Vec<_>>::new(), Vec::new());
    for page in &book.pages {
        for fence in page.fences.iter().filter(|it| it.info == "console") {
            if only(&fence.body).is_some() {
                continue;
            }
            let mut lines = fence.body.lines();
            let command = lines.next().and_then(|line| line.strip_prefix("$ "));
            let (line, page) = (fence.line + 1, page.path());
            let runs = |it: &&str| {
                let known = it.starts_with("cargo run ") || it.starts_with("cargo step");
                known && !it.contains(['|', '<', '>', ';', '&', '"', '\''])
            };
            let Some(command) = command.filter(runs) else {
                let says = "the test runs `cargo run …` and `cargo step04` only: show one of these";
                found.push(Complaint::new(&page, line, says));
                continue;
            };
            let shown = lines.map(str::to_owned).collect();
            let transcript = Transcript { page, line, shown };
            commands
                .entry(command.to_owned())
                .or_default()
                .push(transcript);
        }
    }
    (commands, found)
}

fn compare(root: &Path, command: &str, transcripts: &[Transcript]) -> Vec<Complaint> {
    let expected = expected(root, command);
    let mut left: Vec<&Transcript> = transcripts.iter().collect();
    let mut says = BTreeMap::new();
    for _ in 0..TRIES {
        let (out, err) = match run(root, command) {
            Ok(streams) => streams,
            Err(error) => {
                let says = format!("`{command}`: {error}");
                return left
                    .iter()
                    .map(|it| Complaint::new(&it.page, it.line, says.clone()))
                    .collect();
            }
        };
        let [out, err] = [out, err].map(|lines| aligned(&lines, &expected));
        // A terminal shows both streams, and nothing orders them.
        let orders: [Vec<&Printed>; 2] = [
            out.iter().chain(&err).collect(),
            err.iter().chain(&out).collect(),
        ];
        left.retain(|it| {
            let faults: Vec<_> = orders
                .iter()
                .filter_map(|printed| fault(&it.shown, printed))
                .collect();
            says.insert((it.page.clone(), it.line), faults.first().cloned());
            faults.len() == orders.len()
        });
        if left.is_empty() {
            break;
        }
    }
    left.iter()
        .filter_map(|it| {
            let (place, shown) = says.remove(&(it.page.clone(), it.line))??;
            let says = format!(
                "`{command}` does not print `{shown}` here: run it, and copy what it prints now"
            );
            Some(Complaint::new(&it.page, it.line + 1 + place, says))
        })
        .collect()
}

/// What a command writes to its two streams, line by line.
fn run(root: &Path, command: &str) -> io::Result<(Vec<String>, Vec<String>)> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut words = command.split_whitespace().skip(1);
    let first = words.next().unwrap_or_default();
    let mut streams = [tempfile::tempfile()?, tempfile::tempfile()?];
    let mut cargo = Command::new(cargo);
    cargo.arg(first);
    if first == "run" {
        cargo.arg("--quiet");
    }
    let mut child = cargo
        .args(words)
        .current_dir(root)
        .env("CARGO_TERM_COLOR", "never")
        .stdin(Stdio::null())
        .stdout(streams[0].try_clone()?)
        .stderr(streams[1].try_clone()?)
        .spawn()?;
    if child.wait_timeout(LIMIT)?.is_none() {
        child.kill()?;
        child.wait()?;
        let says = format!("it does not end within {} s", LIMIT.as_secs());
        return Err(io::Error::other(says));
    }
    let [out, err] = streams.each_mut().map(|stream| {
        let mut bytes = Vec::new();
        stream.rewind()?;
        stream.read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok::<_, io::Error>(text.lines().map(str::to_owned).collect())
    });
    Ok((out?, err?))
}

/// What the package's own tests expect of its output, text by text.
fn expected(root: &Path, command: &str) -> Vec<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let after_p = words.iter().position(|word| *word == "-p");
    let name = after_p.and_then(|place| words.get(place + 1));
    let name = name.unwrap_or(&words[1]);
    let folders = [root.to_owned(), root.join("lab")];
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

/// A printed line, and what its package's test says that varies in it.
struct Printed {
    text: String,
    varies: Option<Regex>,
}

/// Puts beside each printed line what the tests expect in its place.
fn aligned(lines: &[String], expected: &[String]) -> Vec<Printed> {
    let printed = lines.iter().cloned();
    let mut printed: Vec<Printed> = printed.map(|text| Printed { text, varies: None }).collect();
    for expected in expected {
        let (mut place, mut skips, mut found) = (0, false, Vec::new());
        for line in expected.lines() {
            if line == "..." {
                skips = true;
                continue;
            }
            let pattern = pattern(line);
            let mut left = lines[place.min(lines.len())..].iter();
            let Some(next) = left
                .position(|it| pattern.is_match(it))
                .filter(|it| skips || *it == 0)
            else {
                break;
            };
            place += next + 1;
            skips = false;
            found.push((place - 1, pattern));
        }
        for (place, pattern) in found {
            printed[place].varies = Some(pattern);
        }
    }
    printed
}

fn pattern(line: &str) -> Regex {
    let parts: Vec<String> = line.split("[..]").map(regex::escape).collect();
    Regex::new(&format!("^{}$", parts.join(r"[\d,.]+"))).expect("its parts are escaped")
}

static TIME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\s*\b\d+(?:\.\d+)?\s?(?:ms|µs|ns|s)\b").expect("it is a regex"));

static CLOCK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\btime: \d+\.\d+").expect("it is a regex"));

fn timeless(line: &str) -> String {
    let line = TIME.replace_all(line, " N ms");
    CLOCK.replace_all(&line, "time: N").trim_end().to_owned()
}

/// The first line of a transcript that is not printed where it is shown, and its place.
fn fault(shown: &[String], printed: &[&Printed]) -> Option<(usize, String)> {
    let equal = |shown: &String, printed: &Printed| {
        let varies = printed.varies.as_ref();
        timeless(shown) == timeless(&printed.text) || varies.is_some_and(|it| it.is_match(shown))
    };
    let (mut from, mut place) = (0, 0);
    for run in shown.split(|line| line == "...") {
        let common = |start: usize| {
            let pairs = run.iter().zip(&printed[start..]);
            pairs.take_while(|(a, b)| equal(a, b)).count()
        };
        let found = (from..=printed.len()).find(|start| common(*start) == run.len());
        let Some(start) = found else {
            let best = (from..=printed.len()).map(common).max().unwrap_or(0);
            return Some((place + best, run[best].clone()));
        };
        from = start + run.len();
        place += run.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    /// What is wrong with this transcript of that output, of which a test says this.
    fn seen(shown: &str, printed: &str, expected: &str) -> Option<(usize, String)> {
        let printed = aligned(&lines(printed), &[expected.to_owned()]);
        fault(&lines(shown), &printed.iter().collect::<Vec<_>>())
    }

    const PRINTED: &str = "1. It looks\n   looks: 30, time: 302 ms\nhowdy!\n   looks: 40\ndone!";

    #[test]
    fn a_run_of_lines_is_found_with_other_times() {
        let shown = "   looks: 30, time: 5 ms\nhowdy!";
        assert_eq!(seen(shown, PRINTED, ""), None);
    }

    #[test]
    fn lines_are_left_out_where_it_says_so() {
        assert_eq!(seen("1. It looks\n...\ndone!", PRINTED, ""), None);
        let gap = seen("1. It looks\ndone!", PRINTED, "");
        assert_eq!(gap, Some((1, "done!".to_owned())));
    }

    #[test]
    fn a_number_may_differ_only_where_the_test_says_so() {
        let other = "...\nhowdy!\n   looks: 41";
        let expected = "...\nhowdy!\n   looks: [..]\ndone!";
        assert_eq!(
            seen(other, PRINTED, ""),
            Some((2, "   looks: 41".to_owned()))
        );
        assert_eq!(seen(other, PRINTED, expected), None);
        // The same pattern, and not the same place.
        let earlier = "1. It looks\n   looks: [..]";
        let printed = "1. It looks\n   looks: 30\nhowdy!\n   looks: 40";
        assert_eq!(
            seen(other, printed, earlier),
            Some((2, "   looks: 41".to_owned()))
        );
    }

    #[test]
    fn order_counts() {
        let found = seen("done!\n...\nhowdy!", PRINTED, "");
        assert_eq!(found, Some((2, "howdy!".to_owned())));
    }
}

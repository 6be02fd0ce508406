//! The transcripts of the pages, against what the programs print now.

mod close;
mod expected;
mod fault;

use std::{
    collections::BTreeMap,
    env, io,
    io::{Read, Seek},
    path::Path,
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

use wait_timeout::ChildExt;

use crate::{Book, Complaint, include::only};

use expected::{Printed, aligned, expected};
use fault::{Fault, fault};

/// How long a command may take. It may have to be built first.
const LIMIT: Duration = Duration::from_secs(300);

/// How many run at a time, in each of the tries. Most of them sleep; but a busy machine is slow, and two threads on it
/// may print in another order, so the later tries have it for themselves.
const TRIES: [usize; 3] = [4, 1, 1];

/// A transcript on a page.
#[derive(Debug)]
struct Transcript {
    page: String,
    /// The line of its command.
    line: usize,
    /// The lines below the command.
    shown: Vec<String>,
    /// What was wrong with it in the last try.
    fault: Option<Fault>,
}

/// A command, and the transcripts that were not yet seen to be right.
#[derive(Debug)]
struct Job {
    command: String,
    transcripts: Vec<Transcript>,
    /// Why it cannot be run.
    error: Option<String>,
}

/// Runs each command that a page shows with what it prints, and says what it does not print.
pub fn complaints(book: &Book) -> Vec<Complaint> {
    let (commands, mut found) = commands(book);
    let jobs = commands.into_iter().map(|(command, transcripts)| Job {
        command,
        transcripts,
        error: None,
    });
    let mut jobs: Vec<Job> = jobs.collect();
    for at_once in TRIES {
        jobs = tried(&book.root, jobs, at_once);
    }
    found.extend(jobs.iter().flat_map(Job::complaints));
    found.sort();
    found
}

/// Runs these, so many at a time, and returns those that are not right.
fn tried(root: &Path, jobs: Vec<Job>, at_once: usize) -> Vec<Job> {
    let (waiting, left) = (Mutex::new(jobs), Mutex::new(Vec::new()));
    let next = || {
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.pop()
    };
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(mut job) = next() {
                    job.run(root);
                    if !job.transcripts.is_empty() {
                        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
                        left.push(job);
                    }
                }
            });
        }
    });
    left.into_inner().unwrap_or_else(PoisonError::into_inner)
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
            let transcript = Transcript {
                page,
                line,
                shown,
                fault: None,
            };
            commands
                .entry(command.to_owned())
                .or_default()
                .push(transcript);
        }
    }
    (commands, found)
}

impl Job {
    /// Runs it, and lets go of the transcripts that are right.
    fn run(&mut self, root: &Path) {
        if self.error.is_some() {
            return;
        }
        let (out, err) = match run(root, &self.command) {
            Ok(streams) => streams,
            Err(error) => {
                self.error = Some(error.to_string());
                return;
            }
        };
        let expected = expected(root, &self.command);
        let [out, err] = [out, err].map(|lines| aligned(&lines, &expected));
        // A terminal shows both streams, and nothing orders them.
        let orders: [Vec<&Printed>; 2] = [
            out.iter().chain(&err).collect(),
            err.iter().chain(&out).collect(),
        ];
        self.transcripts.retain_mut(|it| {
            let mut faults = orders.iter().map(|printed| fault(&it.shown, printed));
            let (one, other) = (faults.next().flatten(), faults.next().flatten());
            it.fault = one.and_then(|one| other.map(|_| one));
            it.fault.is_some()
        });
    }

    fn complaints(&self) -> impl Iterator<Item = Complaint> {
        let command = &self.command;
        self.transcripts.iter().map(move |it| {
            let (place, says) = match (&self.error, &it.fault) {
                (None, Some(fault)) => (1 + fault.place, fault.says(command)),
                (error, _) => (
                    0,
                    format!("`{command}`: {}", error.as_deref().unwrap_or("")),
                ),
            };
            Complaint::new(&it.page, it.line + place, says)
        })
    }
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

//! Runs tests, each in a process of its own, which is stopped when it takes too long or prints too much.

use std::{
    collections::BTreeSet,
    fmt, fs, io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use kit::process::{self, End, Limits, Outcome};
use rayon::prelude::*;
use tempfile::NamedTempFile;

use crate::reason;

const LIMIT: Duration = Duration::from_secs(4);
/// Takes the place of a test's name if the program does not come so far.
const FIRST: &str = "tests::";
/// The harness says so before anything else, without an end of the line, and the learner did not ask for it.
const DEPRECATED: &str = "warning: `--logfile` is deprecated";

/// What became of a test, or of an exercise with all its tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// All passed.
    Solved,
    /// A test failed, or did not run.
    Failed,
    /// The learner has changed nothing yet.
    NotStarted,
    /// There was nothing to run.
    DoesNotCompile,
    /// A test was stopped at the time limit.
    TimedOut,
    /// The learner's folder has no such file, or it cannot be read.
    Missing,
    /// A test was stopped since it printed too much.
    PrintedTooMuch,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Mark::Solved => "solved",
            Mark::Failed => "failed",
            Mark::NotStarted => "not started",
            Mark::DoesNotCompile => "does not compile",
            Mark::TimedOut => "timed out",
            Mark::Missing => "missing",
            Mark::PrintedTooMuch => "printed too much",
        })
    }
}

/// One test, run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The program that it is in.
    pub program: String,
    /// With the modules that it is in, such as `tests::it_is_woken_once`.
    pub name: String,
    /// What became of it.
    pub mark: Mark,
    /// The line that says why it did not pass.
    pub why: String,
    /// How long it ran, and what it printed.
    pub outcome: Outcome,
}

/// Runs all tests of these programs, in `folder`. Ignored tests are left out. What has outlived its test is ended.
///
/// A test that was stopped at the time limit is run once more, with nothing beside it: perhaps the machine was busy.
pub(crate) fn run(folder: &Path, programs: &[(String, PathBuf)]) -> io::Result<Vec<Ran>> {
    process::adopt_orphans();
    let listed = programs.par_iter().with_max_len(1).map(|(program, file)| {
        let listed = call(folder, file, &["--list", "--format", "terse"])?;
        // A program that ends its process with status 0 while it lists its tests has none, and that is noted.
        let names = listed.stdout.lines();
        let names = names.filter_map(|line| line.strip_suffix(": test"));
        let tests: Vec<_> = names.map(|name| (program, file, name.to_owned())).collect();
        let lost = (!listed.end.is_success())
            .then(|| judge(&listed, ""))
            .flatten();
        let lost = lost.map(|(mark, why)| Ran {
            program: program.clone(),
            name: FIRST.to_owned(),
            mark,
            why: format!("before its first test: {why}"),
            outcome: listed,
        });
        io::Result::Ok((tests, lost))
    });
    let listed: Vec<_> = listed.collect::<io::Result<_>>()?;
    let (listed, before): (Vec<_>, Vec<_>) = listed.into_iter().unzip();
    let listed = listed.concat();
    let tests = listed.par_iter().with_max_len(1);
    let ran = tests.map(|test| run_one(folder, test));
    let mut ran = ran.collect::<io::Result<Vec<_>>>()?;
    let mut lost = BTreeSet::new();
    for (test, ran) in listed.iter().zip(&mut ran) {
        let is_stopped = |ran: &Option<Ran>| matches!(ran, Some(ran) if ran.mark == Mark::TimedOut);
        // One such test is enough to lose an exercise.
        if is_stopped(ran) && !lost.contains(test.0) {
            *ran = run_one(folder, test)?;
            if is_stopped(ran) {
                lost.insert(test.0);
            }
        }
    }
    process::end_orphans();
    Ok(before.into_iter().chain(ran).flatten().collect())
}

/// Runs one test, unless it is ignored.
fn run_one(
    folder: &Path,
    (program, file, name): &(&String, &PathBuf, String),
) -> io::Result<Option<Ran>> {
    let log = NamedTempFile::new()?;
    let path = log.path().to_string_lossy();
    let arguments = ["--exact", name, "--nocapture", "--logfile", &path];
    let mut outcome = call(folder, file, &arguments)?;
    outcome.stderr = outcome.stderr.replacen(DEPRECATED, "", 1);
    let log = fs::read_to_string(log.path()).unwrap_or_default();
    Ok(judge(&outcome, &log).map(|(mark, why)| Ran {
        program: (*program).clone(),
        name: name.clone(),
        mark,
        why,
        outcome,
    }))
}

/// The mark on one test and the reason, unless the test is ignored.
///
/// Whether it passed, the `log` says: the harness writes it after the test, and what a test prints is not in it.
fn judge(outcome: &Outcome, log: &str) -> Option<(Mark, String)> {
    let ended = match outcome.end {
        End::TimedOut => {
            let why = format!("it hung, and was stopped after {LIMIT:?}");
            return Some((Mark::TimedOut, why));
        }
        End::Flooded => {
            let why = "it printed more than 1 MiB, and was stopped".into();
            return Some((Mark::PrintedTooMuch, why));
        }
        End::Exited(status) if !status.success() => format!("it ended with {status}"),
        End::Exited(_) if log.starts_with("ok ") => return Some((Mark::Solved, String::new())),
        End::Exited(_) if log.starts_with("ignored") => return None,
        End::Exited(_) => {
            "the process ended itself with status 0 before the test was over".to_owned()
        }
    };
    Some((Mark::Failed, reason::of(&outcome.stderr, &ended)))
}

fn call(folder: &Path, program: &Path, arguments: &[&str]) -> io::Result<Outcome> {
    let mut command = with_limits(program);
    command
        .args(arguments)
        .current_dir(folder)
        // A learner reads the message, and not how the harness came to it.
        .env("RUST_BACKTRACE", "0");
    process::run(process::lead_a_group(&mut command), Limits::time(LIMIT))
}

/// On Linux, endless threads or an endless list end the test, and not the machine. And if `grade` itself was stopped, as
/// by Ctrl-C, which does not reach the test, an endless loop ends after 5 minutes of computing.
fn with_limits(program: &Path) -> Command {
    if cfg!(not(target_os = "linux")) {
        return Command::new(program);
    }
    let mut shell = Command::new("sh");
    let limited = r#"ulimit -v 4194304; ulimit -t 300; ulimit -c 0; exec "$0" "$@""#;
    shell.args(["-c", limited]).arg(program);
    // With many threads, an arena for each would use up the address space.
    shell.env("MALLOC_ARENA_MAX", "2");
    shell
}

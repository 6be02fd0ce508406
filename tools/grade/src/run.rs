//! Runs tests, each in a process of its own, which is stopped when it takes too long or prints too much.

use std::{
    collections::BTreeSet, fmt, fs, io, path::Path, process::Command, thread, time::Duration,
};

use kit::process::{self, End, Limits, Outcome};
use rayon::{ThreadPoolBuilder, prelude::*};
use tempfile::{NamedTempFile, TempDir};

use crate::reason;

/// The harness says so before anything else, without an end of the line, and the learner did not ask for it.
const DEPRECATED: &str = "warning: `--logfile` is deprecated";
const TOO_EARLY: &str = "ended itself with status 0 before the test was over";

/// What became of a test, or of an exercise with all its tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Solved,
    Failed,
    /// The learner has changed nothing yet.
    NotStarted,
    DoesNotCompile,
    /// A test was stopped at the time limit.
    TimedOut,
    /// The learner's folder has no such file, or it cannot be read.
    Missing,
    PrintedTooMuch,
}

impl fmt::Display for Mark {
    /// In small letters, a word for each capital: `timed out`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = String::new();
        for letter in format!("{self:?}").chars() {
            words += if letter.is_uppercase() { " " } else { "" };
            words.extend(letter.to_lowercase());
        }
        f.write_str(words.trim())
    }
}

/// One test, run.
#[derive(Debug)]
pub(crate) struct Ran {
    /// With the modules that it is in, such as `tests::it_is_woken_once`.
    pub name: String,
    pub mark: Mark,
    /// The line that says why it did not pass.
    pub why: String,
    pub outcome: Outcome,
}

/// A program of tests, the folder in which it runs, so that what a test writes is in no other learner's, and the limit.
struct Program<'a>(&'a Path, TempDir, Duration);

/// Runs all tests of these programs, each for `limit` at most, and returns them by program. Ignored tests are left out.
///
/// A test that was stopped at the time limit is run once more, with nothing beside it: perhaps the machine was busy.
pub(crate) fn run(files: &[&Path], limit: Duration) -> io::Result<Vec<Vec<Ran>>> {
    // Most of them wait most of the time.
    let threads = 2 * thread::available_parallelism()?.get();
    let _ = ThreadPoolBuilder::new().num_threads(threads).build_global();
    let mut programs = Vec::new();
    for file in files {
        let folder = TempDir::new()?;
        programs.push(Program(file, folder, limit));
    }
    let listed = programs.par_iter().with_max_len(1).map(Program::tests);
    let (mut tests, mut ran) = (Vec::new(), Vec::new());
    for (names, lost) in listed.collect::<io::Result<Vec<_>>>()? {
        tests.extend(names.into_iter().map(|name| (ran.len(), name)));
        ran.push(lost.into_iter().collect::<Vec<_>>());
    }
    let run = |(n, name): &(usize, String)| programs[*n].run(name);
    let first = tests.par_iter().with_max_len(1).map(run);
    let first = first.collect::<io::Result<Vec<_>>>()?;
    let is_stopped = |ran: &Option<Ran>| matches!(ran, Some(ran) if ran.mark == Mark::TimedOut);
    let mut lost = BTreeSet::new();
    for ((n, name), mut once) in tests.iter().zip(first) {
        // One such test is enough to lose an exercise.
        if is_stopped(&once) && !lost.contains(n) {
            once = run(&(*n, name.clone()))?;
            if is_stopped(&once) {
                lost.insert(n);
            }
        }
        ran[*n].extend(once);
    }
    Ok(ran)
}

impl Program<'_> {
    /// The names of its tests, and why there are none if it does not come so far.
    fn tests(&self) -> io::Result<(Vec<String>, Option<Ran>)> {
        let listed = self.call(&["--list", "--format", "terse"])?;
        // A program that ends its process with status 0 while it lists its tests has none, and that is noted.
        let name = |line: &str| Some(line.strip_suffix(": test")?.to_owned());
        let names = listed.stdout.lines().filter_map(name).collect();
        let is_lost = !listed.end.is_success();
        let mut lost = self.judge("tests::", listed, "").filter(|_| is_lost);
        if let Some(lost) = &mut lost {
            lost.why.insert_str(0, "before its first test: ");
        }
        Ok((names, lost))
    }

    /// Runs one test, unless it is ignored.
    fn run(&self, name: &str) -> io::Result<Option<Ran>> {
        let log = NamedTempFile::new()?;
        let path = log.path().to_string_lossy();
        let mut outcome = self.call(&["--exact", name, "--nocapture", "--logfile", &path])?;
        outcome.stderr = outcome.stderr.replacen(DEPRECATED, "", 1);
        let log = fs::read_to_string(log.path()).unwrap_or_default();
        Ok(self.judge(name, outcome, &log))
    }

    /// What became of one test, unless it is ignored.
    ///
    /// Whether it passed, the `log` says: the harness writes it after the test, and what a test prints is not in it.
    fn judge(&self, name: &str, outcome: Outcome, log: &str) -> Option<Ran> {
        use Mark::{Failed, PrintedTooMuch, Solved, TimedOut};
        let limit = self.2;
        let (mark, ended) = match outcome.end {
            End::TimedOut => (TimedOut, format!("hung, and was stopped after {limit:?}")),
            End::Flooded => (PrintedTooMuch, "printed more than 1 MiB".into()),
            End::Exited(status) if !status.success() => (Failed, format!("ended with {status}")),
            _ if log.starts_with("ignored") => return None,
            _ if log.starts_with("ok ") => (Solved, String::new()),
            _ => (Failed, TOO_EARLY.to_owned()),
        };
        let why = match mark {
            Failed => reason::of(&outcome.stderr, &format!("it {ended}")),
            Solved => ended,
            _ => format!("it {ended}"),
        };
        Some(Ran {
            name: name.to_owned(),
            mark,
            why,
            outcome,
        })
    }

    fn call(&self, arguments: &[&str]) -> io::Result<Outcome> {
        let mut command = with_limits(self.0);
        // A learner reads the message, and not how the harness came to it.
        command.env("RUST_BACKTRACE", "0");
        command.args(arguments).current_dir(&self.1);
        let limits = Limits::time(self.2);
        process::run(process::lead_a_group(&mut command), limits)
    }
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

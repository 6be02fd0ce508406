//! Runs tests, each in a process of its own, which is stopped when it takes too long or prints too much.

use std::{
    collections::BTreeSet,
    fmt, fs,
    hash::{BuildHasher, Hasher, RandomState},
    io,
    path::Path,
    process::Command,
    thread,
    time::Duration,
};

use kit::process::{self, End, Limits, Outcome};
use rayon::{ThreadPoolBuilder, prelude::*};
use tempfile::{NamedTempFile, TempDir};

use super::reason;

const TOO_EARLY: &str = "ended itself with status 0 before the test was over";

/// What became of a test, or of an exercise with all its tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// All its tests have passed.
    Solved,
    /// A test has not, or did not come to its end.
    Failed,
    /// The learner has changed nothing yet.
    NotStarted,
    /// The compiler has found errors, or was stopped.
    DoesNotCompile,
    /// A test was stopped at the time limit.
    TimedOut,
    /// The learner's folder has no such file, or it cannot be read.
    Missing,
    /// A test was stopped at the limit of output.
    PrintedTooMuch,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
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
#[derive(Debug)]
pub(crate) struct Ran {
    /// With the module that it is in, such as `tests::it_is_woken_once`.
    pub name: String,
    pub mark: Mark,
    /// The line that says why it did not pass.
    pub why: String,
    pub outcome: Outcome,
}

/// A program whose tests are run.
struct Program<'a> {
    file: &'a Path,
    /// In which it runs, so that what a test writes is in no other learner's.
    folder: TempDir,
    /// Of each test.
    limit: Duration,
}

/// Runs these tests of these programs, each for `limit` at most, and returns them by program.
///
/// A test that was stopped at the time limit is run once more, with nothing beside it: perhaps the machine was busy.
pub(crate) fn run(files: &[(&Path, &[String])], limit: Duration) -> io::Result<Vec<Vec<Ran>>> {
    // Most of them wait most of the time.
    let threads = 2 * thread::available_parallelism()?.get();
    let _ = ThreadPoolBuilder::new().num_threads(threads).build_global();
    let (mut programs, mut tests) = (Vec::new(), Vec::new());
    for (n, (file, names)) in files.iter().enumerate() {
        programs.push(Program {
            file,
            folder: TempDir::new()?,
            limit,
        });
        tests.extend(names.iter().map(|name| (n, name)));
    }
    let run = |(n, name): &(usize, &String)| programs[*n].run(name);
    let first = tests.par_iter().with_max_len(1).map(run);
    let first = first.collect::<io::Result<Vec<_>>>()?;
    let mut lost = BTreeSet::new();
    let mut ran: Vec<_> = programs.iter().map(|_| Vec::new()).collect();
    for ((n, name), mut once) in tests.iter().zip(first) {
        // One such test is enough to lose an exercise.
        if once.mark == Mark::TimedOut && !lost.contains(n) {
            once = run(&(*n, name))?;
            if once.mark == Mark::TimedOut {
                lost.insert(n);
            }
        }
        ran[*n].push(once);
    }
    Ok(ran)
}

impl Program<'_> {
    /// Runs one test. That it came to its end is proved by a word, which it has to put back where it found it.
    fn run(&self, name: &str) -> io::Result<Ran> {
        let (file, word) = (NamedTempFile::new()?, word());
        fs::write(file.path(), &word)?;
        let mut command = with_limits(self.file);
        command.env("GRADE_PROOF", file.path());
        // A learner reads the message, and not how the harness came to it.
        command.env("RUST_BACKTRACE", "0");
        command.arg(name).current_dir(&self.folder);
        let limits = Limits::time(self.limit);
        let outcome = process::run(process::lead_a_group(&mut command), limits)?;
        let is_proved =
            fs::read_to_string(file.path()).is_ok_and(|text| text == format!("{name} {word}"));
        Ok(self.judge(name, outcome, is_proved))
    }

    /// What became of one test.
    fn judge(&self, name: &str, outcome: Outcome, is_proved: bool) -> Ran {
        use Mark::{Failed, PrintedTooMuch, Solved, TimedOut};
        let limit = self.limit;
        let (mark, ended) = match outcome.end {
            End::TimedOut => (TimedOut, format!("hung, and was stopped after {limit:?}")),
            End::Flooded => (PrintedTooMuch, "printed more than 1 MiB".into()),
            End::Exited(status) if !status.success() => (Failed, format!("ended with {status}")),
            End::Exited(_) if is_proved => (Solved, String::new()),
            End::Exited(_) => (Failed, TOO_EARLY.to_owned()),
        };
        let why = match mark {
            Failed => reason::of(&outcome.stderr, &format!("it {ended}")),
            Solved => ended,
            _ => format!("it {ended}"),
        };
        Ran {
            name: name.to_owned(),
            mark,
            why,
            outcome,
        }
    }
}

/// A word that nobody knows beforehand.
fn word() -> String {
    let number = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", number(), number())
}

/// On Linux, endless threads or an endless list end the test, and not the machine. And if `grade` itself was stopped, as
/// by Ctrl-C, which does not reach the test, an endless loop ends after 5 minutes of computing.
fn with_limits(program: &Path) -> Command {
    if cfg!(not(target_os = "linux")) {
        return Command::new(program);
    }
    let mut limited = process::limited(program, &["-v 4194304", "-t 300", "-c 0"]);
    // With many threads, an arena for each would use up the address space.
    limited.env("MALLOC_ARENA_MAX", "2");
    limited
}

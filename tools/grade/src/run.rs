//! Runs tests, each in a process of its own, which is stopped when it takes too long or prints too much.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use kit::{
    pool,
    process::{self, End, Limits, Outcome},
};

use crate::reason;

const LIMIT: Duration = Duration::from_secs(4);

/// What became of a test, or of an exercise with all its tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// All passed.
    Solved,
    /// A test failed, or did not run.
    Failed,
    /// There was nothing to run.
    DoesNotCompile,
    /// A test was stopped at the time limit.
    TimedOut,
    /// The learner's folder has no such file.
    Missing,
    /// A test was stopped since it printed too much.
    PrintedTooMuch,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Mark::Solved => "solved",
            Mark::Failed => "failed",
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

/// Runs all tests of these programs, named by their exercises, in `folder`. Ignored tests are left out.
pub(crate) fn run(folder: &Path, programs: &[(String, PathBuf)]) -> io::Result<Vec<Ran>> {
    let listed = pool::each(pool::cores(), programs, |(program, file)| {
        let listed = call(folder, file, &["--list", "--format", "terse"])?;
        // Whoever ends the process while it lists its tests has no test, and that is noted.
        let names = listed
            .stdout
            .lines()
            .filter_map(|l| l.strip_suffix(": test"));
        let tests = names.map(|name| (program, file, name.to_owned()));
        io::Result::Ok(tests.collect::<Vec<_>>())
    });
    let listed: Vec<_> = listed.into_iter().collect::<io::Result<_>>()?;
    let ran = pool::each(pool::cores(), listed.concat(), |(program, file, name)| {
        let outcome = call(folder, file, &["--exact", &name, "--nocapture"])?;
        Ok(judge(&outcome).map(|(mark, why)| Ran {
            program: program.clone(),
            name,
            mark,
            why,
            outcome,
        }))
    });
    ran.into_iter().filter_map(io::Result::transpose).collect()
}

/// The mark on one test and the reason, unless the test is ignored.
fn judge(outcome: &Outcome) -> Option<(Mark, String)> {
    let last = outcome.stdout.trim_end().lines().last();
    let last_begins = |words| last.is_some_and(|line| line.starts_with(words));
    let ended = match outcome.end {
        End::TimedOut => {
            let why = "the test was stopped at the time limit".into();
            return Some((Mark::TimedOut, why));
        }
        End::Flooded => {
            let why = "the test was stopped: it printed more than 1 MiB".into();
            return Some((Mark::PrintedTooMuch, why));
        }
        End::Exited(status) if !status.success() => format!("it ended with {status}"),
        End::Exited(_) if last_begins("test result: ok. 1 passed; 0 failed;") => {
            return Some((Mark::Solved, String::new()));
        }
        End::Exited(_) if last_begins("test result: ok. 0 passed; 0 failed; 1 ignored;") => {
            return None;
        }
        End::Exited(_) => {
            "the process ended itself with status 0 before the test was over".to_owned()
        }
    };
    Some((Mark::Failed, reason::of(&outcome.stderr, &ended)))
}

fn call(folder: &Path, program: &Path, arguments: &[&str]) -> io::Result<Outcome> {
    let mut command = with_little_memory(program);
    command
        .args(arguments)
        .current_dir(folder)
        // A learner reads the message, and not how the harness came to it.
        .env("RUST_BACKTRACE", "0");
    process::run(process::lead_a_group(&mut command), Limits::time(LIMIT))
}

/// On Linux, endless threads or an endless list end the test, and not the machine.
fn with_little_memory(program: &Path) -> Command {
    if cfg!(not(target_os = "linux")) {
        return Command::new(program);
    }
    let mut shell = Command::new("sh");
    let four_gib = r#"ulimit -v 4194304; ulimit -c 0; exec "$0" "$@""#;
    shell.args(["-c", four_gib]).arg(program);
    // With many threads, an arena for each would use up the address space.
    shell.env("MALLOC_ARENA_MAX", "2");
    shell
}

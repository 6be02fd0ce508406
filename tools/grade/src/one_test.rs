//! What stands between nextest and a learner's test: this program again, as cargo's *runner*.
//!
//! nextest looks at the exit status and keeps all output. So a test that calls `exit(0)` would pass, and one that prints
//! without end would fill the memory. Both end here.

use std::{
    collections::VecDeque,
    ffi::OsString,
    io::{self, Write},
    process::{Command, ExitCode, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use crate::child::{self, End, TOO_MUCH};

/// The argument with which cargo's configuration calls this program as the runner.
pub const AS_RUNNER: &str = "--as-runner";
/// How a line begins that the runner says itself.
pub(crate) const MARK: &str = "grade: ";
/// What the runner says of a test that was stopped for its output.
pub(crate) const FLOODED: &str = "the test was stopped: it printed more than 1 MiB";

/// nextest has the time limit for a test. This is for whatever hangs before there is a test.
const LIMIT: Duration = Duration::from_secs(10);
/// What is handed on of each stream: its beginning and its end.
const HEAD: usize = 24 << 10;
const TAIL: usize = 8 << 10;

/// Runs a program of tests as nextest asks for it. Returns its status.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(program) = arguments.next() else {
        return ExitCode::from(2);
    };
    let arguments: Vec<_> = arguments.collect();
    let is_listing = arguments.iter().any(|argument| argument == "--list");
    limit_memory();
    let mut command = Command::new(program);
    // Under many threads, an arena for each would use up the address space.
    command.args(arguments).env("MALLOC_ARENA_MAX", "2");
    match watch(&mut command) {
        Ok(None) => ExitCode::SUCCESS,
        // A list that fails would end the whole run. Without one, there is no test, and that is noted.
        Ok(Some(_)) if is_listing => ExitCode::SUCCESS,
        Ok(Some(why)) => {
            eprintln!("\n{MARK}{why}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("\n{MARK}the test cannot be run: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns why the test has failed, if it has.
fn watch(command: &mut Command) -> io::Result<Option<String>> {
    let is_listing = command.get_args().any(|argument| argument == "--list");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let printed = Arc::new(AtomicUsize::new(0));
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let counts = printed.clone();
    let stdout = thread::spawn(move || hand_on(stdout, io::stdout(), &counts));
    let counts = printed.clone();
    let stderr = thread::spawn(move || hand_on(stderr, io::stderr(), &counts));
    let end = child::wait(&mut child, LIMIT, &printed)?;
    let last = stdout.join().unwrap_or_default();
    let _ = stderr.join();
    Ok(match end {
        End::Flooded => Some(FLOODED.into()),
        End::TimedOut => Some(format!("the test was stopped after {LIMIT:?}")),
        End::Exited(_) if printed.load(Ordering::Relaxed) > TOO_MUCH => Some(FLOODED.into()),
        End::Exited(status) if !status.success() => Some(format!("it ended with {status}")),
        End::Exited(_) if is_listing || is_passed(&last) => None,
        End::Exited(_) => {
            Some("the process ended itself with status 0 before the test was over".into())
        }
    })
}

/// Whether the last words are those of the test harness.
fn is_passed(stdout: &str) -> bool {
    let last = stdout.trim_end().lines().last();
    last.is_some_and(|line| line.starts_with("test result: ok. 1 passed; 0 failed;"))
}

/// Hands on the beginning at once, since the process may be killed at any time, and the end at the end, which is
/// returned.
fn hand_on(from: Option<impl io::Read>, mut to: impl Write, printed: &AtomicUsize) -> String {
    let (mut handed, mut tail, mut left_out) = (0, VecDeque::new(), 0);
    child::each_chunk(from, |chunk| {
        printed.fetch_add(chunk.len(), Ordering::Relaxed);
        let head = chunk.len().min(HEAD - handed);
        let _ = to.write_all(&chunk[..head]).and_then(|()| to.flush());
        handed += head;
        tail.extend(chunk);
        let surplus = tail.len().saturating_sub(TAIL);
        tail.drain(..surplus);
        left_out += chunk.len() - head;
    });
    let tail: Vec<u8> = tail.into();
    if left_out > 0 {
        let rest = &tail[tail.len() - left_out.min(tail.len())..];
        let _ = to.write_all(b"\n[...]\n").and_then(|()| to.write_all(rest));
    }
    String::from_utf8_lossy(&tail).into_owned()
}

/// So that endless threads, or an endless list, end the test and not the machine.
fn limit_memory() {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::resource::{Resource, setrlimit};
        const FOUR_GIB: u64 = 4 << 30;
        let _ = setrlimit(Resource::RLIMIT_AS, FOUR_GIB, FOUR_GIB);
        let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    }
}

//! A program with a limit of time and a limit of output: it may hang, or print without end.
//!
//! Two crates that start programs don't use it, because what it depends on would be built by everyone who tests with them:
//! `why_pending::alone` runs a test once more, and `runtime_contract::apart` a clause or a check.

use std::{
    ffi::OsStr,
    fmt,
    fs::File,
    io::{self, Read, Seek},
    process::{Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use tempfile::tempfile;
use wait_timeout::ChildExt;

/// The time between two looks at whether a program has printed too much.
const LOOK: Duration = Duration::from_millis(10);

/// How much a program may use before it is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How long it may run.
    pub time: Duration,
    /// How many bytes it may print, on standard output and standard error together.
    pub output: usize,
}

impl Limits {
    /// This much time, and 1 MiB of output.
    pub fn time(time: Duration) -> Limits {
        let output = 1 << 20;
        Limits { time, output }
    }
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself.
    Exited(ExitStatus),
    /// It was killed at the limit of time.
    TimedOut,
    /// It printed too much, and was killed unless it had ended already.
    Flooded,
}

impl End {
    /// Whether it ended by itself, with status 0.
    pub fn is_success(&self) -> bool {
        matches!(self, End::Exited(status) if status.success())
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exited(status) => write!(f, "ended with {status}"),
            End::TimedOut => f.write_str("did not end, and was killed"),
            End::Flooded => f.write_str("printed too much, and was killed"),
        }
    }
}

/// What a program did.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// What it printed until then, with `\n` at the ends of the lines.
    pub stdout: String,
    /// The same for standard error.
    pub stderr: String,
    /// How long it ran.
    pub time: Duration,
}

/// Runs a program without input, to its end or to one of the limits, where it is killed.
///
/// The programs that it has started live on, unless it leads a group: see [`lead_a_group`].
///
/// ```
/// use std::{process::Command, time::Duration};
///
/// use kit::process::{Limits, run};
///
/// let outcome = run(Command::new("cargo").arg("--version"), Limits::time(Duration::from_secs(60)))?;
/// assert!(outcome.end.is_success() && outcome.stdout.starts_with("cargo "));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// If the program cannot be started or waited for. The message names it.
pub fn run(command: &mut Command, limits: Limits) -> io::Result<Outcome> {
    let start = Instant::now();
    let (stdout, stderr) = (Printed(tempfile()?), Printed(tempfile()?));
    command.stdin(Stdio::null());
    command.stdout(stdout.0.try_clone()?);
    command.stderr(stderr.0.try_clone()?);
    let program = command.get_program().to_string_lossy().into_owned();
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{program}: {error}"));
    let mut child = command.spawn().map_err(named)?;
    #[cfg(unix)]
    let group = group(&child);
    let is_flooded = || stdout.length() + stderr.length() > limits.output as u64;
    let status = loop {
        if let Some(status) = child.wait_timeout(LOOK)? {
            break Some(status);
        }
        if is_flooded() || start.elapsed() > limits.time {
            child.kill()?;
            child.wait()?;
            break None;
        }
    };
    let time = start.elapsed();
    // Those that it has started, and that are still there.
    #[cfg(unix)]
    if let Some(group) = group {
        let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
    }
    let end = match status {
        // It may have ended between two looks.
        _ if is_flooded() => End::Flooded,
        Some(status) => End::Exited(status),
        None => End::TimedOut,
    };
    Ok(Outcome {
        end,
        time,
        stdout: stdout.text(limits.output)?,
        stderr: stderr.text(limits.output)?,
    })
}

/// A file without a name for what a program prints. A pipe would have to be read meanwhile, and stays open as long as any
/// program has its other end.
struct Printed(File);

impl Printed {
    fn length(&self) -> u64 {
        self.0.metadata().map_or(0, |file| file.len())
    }

    fn text(mut self, most: usize) -> io::Result<String> {
        let mut bytes = Vec::new();
        self.0.rewind()?;
        self.0.take(most as u64).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
    }
}

/// Makes a program the leader of a process group, so that [`run`] kills the programs that it has started once it has ended
/// or was killed. Ctrl-C in a terminal does not reach a group of its own. On Windows, this does nothing.
pub fn lead_a_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

/// A command for a program that is under these limits of the shell's `ulimit`, with all programs that it starts: `"-t 60"` is a minute
/// of computing, `"-v 4194304"` 4 GiB of address space. On Windows there are none.
pub fn limited(program: impl AsRef<OsStr>, limits: &[&str]) -> Command {
    if cfg!(not(unix)) {
        return Command::new(program);
    }
    let limits: String = limits
        .iter()
        .map(|limit| format!("ulimit {limit}; "))
        .collect();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!(r#"{limits}exec "$0" "$@""#)]);
    shell.arg(program);
    shell
}

/// The process group of a program that leads one. Without a group of its own it is in ours, which must live.
#[cfg(unix)]
fn group(child: &std::process::Child) -> Option<nix::unistd::Pid> {
    use nix::unistd::{Pid, getpgid};
    let id = i32::try_from(child.id()).ok().map(Pid::from_raw);
    id.filter(|id| getpgid(Some(*id)) == Ok(*id))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str, limits: Limits) -> Outcome {
        run(Command::new("sh").args(["-c", script]), limits).unwrap()
    }

    const LONG: Limits = Limits {
        time: Duration::from_secs(60),
        output: 1000,
    };

    #[test]
    fn what_it_prints_and_its_status_are_kept() {
        let ran = sh("echo out; echo err >&2; exit 3", LONG);
        assert_eq!((&*ran.stdout, &*ran.stderr), ("out\n", "err\n"));
        assert!(matches!(ran.end, End::Exited(status) if status.code() == Some(3)));
    }

    #[test]
    fn what_does_not_end_or_prints_too_much_is_killed() {
        let short = Limits::time(Duration::from_millis(50));
        assert_eq!(sh("exec sleep 1000", short).end, End::TimedOut);
        assert_eq!(sh("exec yes", LONG).end, End::Flooded);
        assert_eq!(sh("printf '%2000d' 7", LONG).end, End::Flooded);
    }

    #[test]
    fn what_the_leader_of_a_group_started_is_killed_with_it() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 1000 & echo $!"]);
        let ran = run(lead_a_group(&mut command), LONG).unwrap();
        assert!(ran.end.is_success() && ran.time < LONG.time);
        let id = nix::unistd::Pid::from_raw(ran.stdout.trim().parse().unwrap());
        let start = Instant::now();
        while nix::sys::signal::kill(id, None).is_ok() {
            assert!(start.elapsed() < LONG.time);
            std::thread::sleep(LOOK);
        }
    }

    #[test]
    fn a_limit_ends_a_program_and_those_that_it_starts() {
        // An endless loop of a shell that a shell has started.
        let script = "sh -c 'while :; do :; done'; echo $?";
        let mut command = limited("sh", &["-t 1", "-c 0"]);
        let ran = run(command.args(["-c", script]), LONG).unwrap();
        assert!(ran.end.is_success() && ran.time < LONG.time, "{ran:?}");
        assert_ne!(ran.stdout.trim(), "0");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut Command::new("no-such-program"), LONG).unwrap_err();
        assert!(error.to_string().starts_with("no-such-program: "));
    }
}

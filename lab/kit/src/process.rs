//! A program with a limit of time and a limit of output: it may hang, or print without end.

use std::{
    fmt,
    io::{self, Read},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use wait_timeout::ChildExt;

/// The time between two looks at whether a program has printed too much.
const LOOK: Duration = Duration::from_millis(10);
/// How long to wait for what the program printed last, once it has ended. The pipe may stay open forever, because a
/// program that it started may have it too.
const LAST_WORDS: Duration = Duration::from_secs(1);

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
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let program = command.get_program().to_string_lossy().into_owned();
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{program}: {error}"));
    let mut child = command.spawn().map_err(named)?;
    let group = Group::of(&child);
    let stdout = Printed::read(child.stdout.take(), limits.output);
    let stderr = Printed::read(child.stderr.take(), limits.output);
    let is_flooded = || stdout.bytes().len() + stderr.bytes().len() > limits.output;
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
    group.kill();
    stdout.wait();
    stderr.wait();
    let end = match status {
        // It may have ended between two looks.
        _ if is_flooded() => End::Flooded,
        Some(status) => End::Exited(status),
        None => End::TimedOut,
    };
    Ok(Outcome {
        end,
        time,
        stdout: stdout.text(),
        stderr: stderr.text(),
    })
}

/// What a program has printed so far.
struct Printed {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: mpsc::Receiver<()>,
}

impl Printed {
    /// Reads on a thread of its own. It keeps one byte more than `most`, which shows that there were more, and throws the
    /// rest away so that the program does not wait for a reader.
    fn read(from: Option<impl Read + Send + 'static>, most: usize) -> Printed {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (end, ended) = mpsc::channel();
        let printed = Printed {
            bytes: Arc::clone(&bytes),
            ended,
        };
        thread::spawn(move || {
            let _end = end;
            let Some(mut from) = from else { return };
            let mut chunk = [0; 8192];
            loop {
                match from.read(&mut chunk) {
                    Ok(0) => return,
                    Ok(count) => {
                        let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
                        let room = (most + 1).saturating_sub(bytes.len());
                        bytes.extend_from_slice(&chunk[..count.min(room)]);
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    // What came before an error is all there is to show.
                    Err(_) => return,
                }
            }
        });
        printed
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the reader to end.
    fn wait(&self) {
        // Nothing is ever sent: the reader has ended when its end of the channel is gone.
        let _ = self.ended.recv_timeout(LAST_WORDS);
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).replace("\r\n", "\n")
    }
}

/// Makes a program the leader of a process group, so that [`run`] kills the programs that it has started once it has ended
/// or was killed. Ctrl-C in a terminal does not reach a group of its own. On Windows, this does nothing.
pub fn lead_a_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

/// The process group of a program that leads one.
struct Group(#[cfg(unix)] Option<nix::unistd::Pid>);

impl Group {
    #[cfg(unix)]
    fn of(child: &Child) -> Group {
        use nix::unistd::{Pid, getpgid};
        let id = i32::try_from(child.id()).ok().map(Pid::from_raw);
        // Without a group of its own it is in ours, which must live.
        Group(id.filter(|id| getpgid(Some(*id)) == Ok(*id)))
    }

    #[cfg(not(unix))]
    fn of(_: &Child) -> Group {
        Group()
    }

    fn kill(&self) {
        #[cfg(unix)]
        if let Some(id) = self.0 {
            let _ = nix::sys::signal::killpg(id, nix::sys::signal::Signal::SIGKILL);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    const SHORT: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn what_it_prints_and_its_status_are_kept() {
        let ran = run(
            &mut sh("echo out; echo err >&2; exit 3"),
            Limits::time(LONG),
        )
        .unwrap();
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str()),
            ("out\n", "err\n")
        );
        assert!(matches!(ran.end, End::Exited(status) if status.code() == Some(3)));
    }

    #[test]
    fn who_does_not_end_is_killed() {
        let ran = run(&mut sh("exec sleep 1000"), Limits::time(SHORT)).unwrap();
        assert_eq!(ran.end, End::TimedOut);
    }

    #[test]
    fn a_signal_is_named() {
        let ran = run(&mut sh("kill -KILL $$"), Limits::time(LONG)).unwrap();
        assert_eq!(ran.end.to_string(), "ended with signal: 9 (SIGKILL)");
    }

    #[test]
    fn who_prints_without_end_is_killed() {
        let limits = Limits {
            output: 1000,
            time: LONG,
        };
        let ran = run(&mut Command::new("yes"), limits).unwrap();
        assert_eq!(ran.end, End::Flooded);
        assert_eq!(ran.stdout.len(), 1001);
    }

    #[test]
    fn who_prints_too_much_and_ends_has_printed_too_much() {
        let limits = Limits {
            output: 1000,
            time: LONG,
        };
        let ran = run(&mut sh("printf '%2000d' 7"), limits).unwrap();
        assert_eq!(ran.end, End::Flooded);
    }

    #[test]
    fn what_is_no_text_counts_as_it_was_printed() {
        let limits = Limits {
            output: 1000,
            time: LONG,
        };
        // As text, each of these bytes would be three.
        let bytes = "\\377".repeat(400);
        let ran = run(&mut sh(&format!("printf '{bytes}'")), limits).unwrap();
        assert!(ran.end.is_success(), "{}", ran.end);
    }

    #[test]
    fn what_it_started_is_killed_with_it_and_after_it() {
        for script in ["sleep 1000 & echo $!; yes", "sleep 1000 & echo $!"] {
            let limits = Limits {
                output: 1000,
                time: LONG,
            };
            let ran = run(lead_a_group(&mut sh(script)), limits).unwrap();
            let id: i32 = ran.stdout.lines().next().unwrap().parse().unwrap();
            let gone = || nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), None).is_err();
            let start = Instant::now();
            while !gone() && start.elapsed() < LONG {
                thread::sleep(LOOK);
            }
            assert!(gone(), "{script}");
        }
    }

    #[test]
    fn nobody_waits_for_a_pipe_that_stays_open() {
        let ran = run(&mut sh("sleep 20 & echo done"), Limits::time(LONG)).unwrap();
        assert!(ran.end.is_success() && ran.stdout == "done\n");
        assert!(ran.time < Duration::from_secs(10));
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let error = run(&mut Command::new("no-such-program"), Limits::time(SHORT)).unwrap_err();
        assert!(
            error.to_string().starts_with("no-such-program: "),
            "{error}"
        );
    }
}

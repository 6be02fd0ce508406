//! Runs the two programs of an exhibit, each in a process of its own, and judges what was seen.

use std::{
    io::Read,
    path::Path,
    process::{Child, Command, ExitCode, ExitStatus, Stdio},
    sync::OnceLock,
    thread::{self, JoinHandle},
    time::Duration,
};

use wait_timeout::ChildExt;

use crate::{Exhibit, Fails, Twin, list};

/// The hidden argument that makes a child of this program run an exhibit.
pub const INSIDE: &str = "--inside";
/// What is said where Miri is not.
pub const NO_MIRI: &str = "skipped: there is no nightly toolchain with Miri here";

/// Enough for a program that hangs to get to where it hangs.
const BRIEF: Duration = Duration::from_millis(400);
/// For the others, and for a second try on a busy machine.
const PATIENT: Duration = Duration::from_secs(8);
/// Beyond the watchdog's limit: it takes two looks and has to speak.
const GRACE: Duration = Duration::from_secs(5);
/// Miri may have to be given the program first.
const TO_BUILD: Duration = Duration::from_secs(600);
/// No exhibit prints so much. One that did would wait for ever for somebody to read it, and be ended.
const MOST_OUTPUT: u64 = 64 * 1024;

/// What was seen of a process.
#[derive(Debug, Clone)]
pub struct Seen {
    /// How it ended.
    pub end: End,
    /// What it printed.
    pub stdout: String,
    /// What it, the watchdog or Miri had to complain about.
    pub stderr: String,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By itself, with this status.
    Status(i32),
    /// By the signal of this name.
    Signal(String),
    /// It did not. It was killed.
    Killed,
}

/// What was seen of an exhibit.
#[derive(Debug, Clone)]
pub struct Visit {
    /// Of the broken program.
    pub broken: Seen,
    /// Of its twin.
    pub repaired: Seen,
}

/// Runs both programs. `None` if Miri is needed and is not there. `museum` is the program of this package.
///
/// # Panics
///
/// If no process can be started.
pub fn visit(exhibit: &'static Exhibit, museum: &Path) -> Option<Visit> {
    if exhibit.needs_miri() && !has_miri() {
        return None;
    }
    let run = |twin, limit| process(exhibit, twin, limit, museum);
    let mut broken = match exhibit.fails {
        Fails::Hangs(_) => run(Twin::Broken, BRIEF),
        _ => run(Twin::Broken, PATIENT),
    };
    if !fails_as_declared(exhibit, &broken) {
        broken = run(Twin::Broken, PATIENT);
    }
    let repaired = run(Twin::Repaired, PATIENT);
    Some(Visit { broken, repaired })
}

/// Whether the broken program failed in the way that is declared.
pub fn fails_as_declared(exhibit: &Exhibit, seen: &Seen) -> bool {
    match exhibit.fails {
        Fails::Hangs(text) => seen.end == End::Status(1) && seen.stderr.contains(text),
        Fails::Prints(line) => seen.end == End::Status(0) && seen.stdout.trim_end() == line,
        Fails::Panics(text) | Fails::Loom(text) => {
            seen.end == End::Status(101) && seen.stderr.contains(text)
        }
        Fails::Miri(text) => seen.end == End::Status(1) && seen.stderr.contains(text),
    }
}

/// Whether the twin ended well, with the line that is declared.
pub fn passes_as_declared(exhibit: &Exhibit, seen: &Seen) -> bool {
    seen.end == End::Status(0) && seen.stdout.trim_end() == exhibit.passes
}

impl Visit {
    /// Whether all is as declared.
    pub fn as_declared(&self, exhibit: &Exhibit) -> bool {
        fails_as_declared(exhibit, &self.broken) && passes_as_declared(exhibit, &self.repaired)
    }
}

/// What the child process does: its arguments are the name, which of the two, and the limit in milliseconds. `None`
/// if this process is no such child.
pub fn inside() -> Option<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() != Some(INSIDE) {
        return None;
    }
    let program = arguments
        .next()
        .and_then(|name| crate::exhibit(&name)?.program(&arguments.next()?));
    let limit = arguments.next().and_then(|limit| limit.parse().ok());
    let (Some(program), Some(limit)) = (program, limit) else {
        eprintln!("museum: {INSIDE} is for the museum itself");
        return Some(ExitCode::from(2));
    };
    // As std says it, without the number of the thread, which is another one in each run.
    std::panic::set_hook(Box::new(|info| {
        let thread = thread::current();
        let name = thread.name().unwrap_or("without a name").to_owned();
        eprintln!(
            "thread {name:?} panicked: {}",
            contract::message(info.payload())
        );
    }));
    probe::within(Duration::from_millis(limit), program);
    Some(ExitCode::SUCCESS)
}

fn process(exhibit: &Exhibit, twin: Twin, limit: Duration, museum: &Path) -> Seen {
    let (mut command, to_build) = match exhibit.needs_miri() {
        true => (miri(), TO_BUILD),
        false => (Command::new(museum), Duration::ZERO),
    };
    let millis = limit.as_millis().to_string();
    let child = command
        .args([INSIDE, exhibit.name, twin.name(), &millis])
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process for the exhibit");
    watch_over(child, to_build + limit + GRACE)
}

fn watch_over(mut child: Child, limit: Duration) -> Seen {
    let stdout = child.stdout.take().map(read);
    let stderr = child.stderr.take().map(read);
    let status = child.wait_timeout(limit).expect("it is our child");
    let end = match status {
        Some(status) => how(status),
        None => {
            child.kill().expect("it is our child");
            child.wait().expect("it is our child");
            End::Killed
        }
    };
    let text = |reader: Option<JoinHandle<String>>| {
        reader.map_or_else(String::new, |reader| {
            reader.join().expect("reading does not panic")
        })
    };
    Seen {
        end,
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

fn read(from: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What came before an error is all there is to show.
        let _ = from.take(MOST_OUTPUT).read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn how(status: ExitStatus) -> End {
    #[cfg(unix)]
    if let Some(number) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let known = nix::sys::signal::Signal::try_from(number);
        return End::Signal(known.map_or_else(
            |_| format!("signal {number}"),
            |signal| signal.as_str().to_owned(),
        ));
    }
    End::Status(status.code().unwrap_or(-1))
}

/// Whether there is a nightly toolchain with Miri.
pub fn has_miri() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // Not `--version`: it would not tell that the sources of the standard library are missing.
        let set_up = nightly()
            .args(["miri", "setup"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        set_up.is_ok_and(|status| status.success())
    })
}

fn nightly() -> Command {
    let mut command = Command::new("cargo");
    command.arg("+nightly");
    // They name the toolchain that built this program.
    for name in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTC", "RUSTDOC"] {
        command.env_remove(name);
    }
    command
}

fn miri() -> Command {
    let mut command = nightly();
    command
        .args(["miri", "run", "--quiet", "-p", "museum", "--target-dir"])
        .arg(list::folder().join("../../target/miri"))
        .arg("--")
        .current_dir(list::folder());
    command
}

#[cfg(all(test, unix, not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_told_by_its_name() {
        let child = Command::new("sh").args(["-c", "kill -SEGV $$"]).spawn();
        let seen = watch_over(child.unwrap(), PATIENT);
        assert_eq!(seen.end, End::Signal("SIGSEGV".to_owned()));
    }

    #[test]
    fn who_does_not_end_is_killed() {
        let child = Command::new("sleep").arg("1000").spawn();
        let seen = watch_over(child.unwrap(), Duration::from_millis(50));
        assert_eq!(seen.end, End::Killed);
    }

    #[test]
    fn who_prints_without_end_is_killed_with_a_part_of_it() {
        let child = Command::new("yes").stdout(Stdio::piped()).spawn();
        let seen = watch_over(child.unwrap(), Duration::from_millis(200));
        assert!(matches!(seen.end, End::Killed | End::Signal(_)));
        assert!(seen.stdout.len() as u64 <= MOST_OUTPUT);
    }
}

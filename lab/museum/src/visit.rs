//! Runs the two programs of an exhibit, each in a process of its own, and judges what was seen.

use std::{
    env, panic,
    path::Path,
    process::{Command, ExitCode},
    sync::OnceLock,
    thread,
    time::Duration,
};

use kit::{
    files,
    process::{self, End, Limits, Outcome},
};

use crate::{Exhibit, Fails};

/// The hidden argument that makes a child of this program run an exhibit.
const INSIDE: &str = "--inside";
/// What is said where Miri is not.
pub const NO_MIRI: &str = "skipped: there is no nightly toolchain with Miri here";

/// What is said elsewhere of an exhibit that is about Linux.
pub const NO_LINUX: &str = "skipped: it is about epoll, which only Linux has";

/// Enough for a program that hangs to get to where it hangs.
const BRIEF: Duration = Duration::from_millis(400);
/// For the others, and for a second try on a busy machine.
const PATIENT: Duration = Duration::from_secs(8);
/// Beyond the watchdog's limit: it takes two looks and has to speak.
const GRACE: Duration = Duration::from_secs(5);
/// Miri may have to be given the program first.
const TO_BUILD: Duration = Duration::from_secs(600);
/// In bytes. No exhibit prints so much.
const MOST_OUTPUT: usize = 64 * 1024;

/// What was seen of an exhibit.
#[derive(Debug, Clone)]
pub struct Visit {
    /// Of the broken program.
    pub broken: Outcome,
    /// Of its twin.
    pub repaired: Outcome,
}

impl Visit {
    /// Runs both programs. `None` if Miri is needed and is not there. `museum` is the program of this package.
    ///
    /// # Panics
    ///
    /// If no process can be started.
    pub fn new(exhibit: &Exhibit, museum: &Path) -> Option<Visit> {
        if exhibit.needs_miri() && !has_miri() {
            return None;
        }
        let run = |twin, limit| run(exhibit, twin, limit, museum);
        let mut broken = match exhibit.fails {
            Fails::Hangs(_) => run("broken", BRIEF),
            _ => run("broken", PATIENT),
        };
        if !fails_as_declared(exhibit, &broken) {
            broken = run("broken", PATIENT);
        }
        let repaired = run("repaired", PATIENT);
        Some(Visit { broken, repaired })
    }

    /// Whether all is as declared.
    pub fn as_declared(&self, exhibit: &Exhibit) -> bool {
        fails_as_declared(exhibit, &self.broken) && passes_as_declared(exhibit, &self.repaired)
    }
}

/// Whether the broken program failed in the way that is declared.
pub fn fails_as_declared(exhibit: &Exhibit, seen: &Outcome) -> bool {
    let (status, text_is_there) = match exhibit.fails {
        Fails::Hangs(text) | Fails::Miri(text) => (1, seen.stderr.contains(text)),
        Fails::Prints(line) => (0, seen.stdout.trim_end() == line),
        Fails::Panics(text) | Fails::Loom(text) => (101, seen.stderr.contains(text)),
    };
    status_of(seen) == Some(status) && text_is_there
}

/// Whether the twin ended well, with the line that is declared.
pub fn passes_as_declared(exhibit: &Exhibit, seen: &Outcome) -> bool {
    status_of(seen) == Some(0) && seen.stdout.trim_end() == exhibit.passes
}

/// `None` if it was killed, or ended by a signal.
pub(crate) fn status_of(seen: &Outcome) -> Option<i32> {
    match seen.end {
        End::Exited(status) => status.code(),
        End::TimedOut | End::Flooded => None,
    }
}

/// What the child process does: its arguments are the name, which of the two, and the limit in milliseconds. `None`
/// if this process is no such child.
pub fn inside() -> Option<ExitCode> {
    let mut arguments = env::args().skip(1);
    if arguments.next().as_deref() != Some(INSIDE) {
        return None;
    }
    let exhibit = arguments.next().and_then(|name| crate::exhibit(&name));
    let twin = arguments.next();
    let program = exhibit.and_then(|exhibit| match twin.as_deref() {
        Some("broken") => Some(exhibit.broken),
        Some("repaired") => Some(exhibit.repaired),
        _ => None,
    });
    let limit = arguments.next().and_then(|limit| limit.parse().ok());
    let (Some(program), Some(limit)) = (program, limit) else {
        eprintln!("museum: {INSIDE} is for the museum itself");
        return Some(ExitCode::from(2));
    };
    // As std says it, without the number of the thread, which is another one in each run.
    panic::set_hook(Box::new(|info| {
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

fn run(exhibit: &Exhibit, twin: &str, limit: Duration, museum: &Path) -> Outcome {
    let (mut command, to_build) = match exhibit.needs_miri() {
        true => (miri(), TO_BUILD),
        false => (Command::new(museum), Duration::ZERO),
    };
    command
        .args([INSIDE, exhibit.name, twin, &limit.as_millis().to_string()])
        .env("RUST_BACKTRACE", "0");
    let limits = Limits {
        time: to_build + limit + GRACE,
        output: MOST_OUTPUT,
    };
    process::run(&mut command, limits).expect("a process for the exhibit")
}

/// Whether there is a nightly toolchain with Miri.
pub fn has_miri() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // Not `--version`: it would not tell that the sources of the standard library are missing.
        let set_up = process::run(nightly().args(["miri", "setup"]), Limits::time(TO_BUILD));
        set_up.is_ok_and(|outcome| outcome.end.is_success())
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
    let target = files::root().join("target/miri");
    command
        .args(["miri", "run", "--quiet", "-p", "museum", "--target-dir"])
        .arg(target)
        .arg("--")
        .current_dir(files::root());
    // Miri is a child of cargo, and would outlive it.
    process::lead_a_group(&mut command);
    command
}

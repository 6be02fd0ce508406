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

/// Enough for a program that hangs to get to where it hangs.
const BRIEF: Duration = Duration::from_millis(400);
/// For the others, and for a second try on a busy machine.
const PATIENT: Duration = Duration::from_secs(8);
/// Beyond the watchdog's limit: it takes two looks and has to speak, which took more than 5 s at a load of 40. No exhibit uses it up
/// on purpose.
const GRACE: Duration = Duration::from_secs(30);
/// Miri may have to be given the program first.
const TO_BUILD: Duration = Duration::from_secs(600);

/// What was seen of an exhibit.
#[derive(Debug, Clone)]
pub struct Visit {
    /// Of the broken program.
    pub broken: Outcome,
    /// Of the fixed version.
    pub repaired: Outcome,
}

impl Visit {
    /// Runs both programs. `None` if Miri is needed and is not there. `museum` is the program of this package.
    ///
    /// # Panics
    ///
    /// If no process can be started.
    pub fn new(exhibit: &Exhibit, museum: &Path) -> Option<Visit> {
        if needs_miri(exhibit) && !has_miri() {
            return None;
        }
        let mut broken = match exhibit.fails {
            Fails::Hangs(_) => run(exhibit, "broken", BRIEF, museum),
            _ => run(exhibit, "broken", PATIENT, museum),
        };
        if !fails(exhibit, &broken) {
            broken = run(exhibit, "broken", PATIENT, museum);
        }
        let repaired = run(exhibit, "repaired", PATIENT, museum);
        Some(Visit { broken, repaired })
    }

    /// Whether the broken version fails in the way that the exhibit says, and the fixed one passes.
    pub fn is_as_expected(&self, exhibit: &Exhibit) -> bool {
        fails(exhibit, &self.broken) && passes(exhibit, &self.repaired)
    }
}

/// Whether Miri runs it, because natively anything may happen.
pub fn needs_miri(exhibit: &Exhibit) -> bool {
    matches!(exhibit.fails, Fails::Miri(_))
}

/// Whether the broken version failed in the way that the exhibit says.
pub(crate) fn fails(exhibit: &Exhibit, seen: &Outcome) -> bool {
    let (status, text_is_there) = match exhibit.fails {
        Fails::Hangs(text) | Fails::Miri(text) => (1, seen.stderr.contains(text)),
        Fails::Prints(line) => (0, seen.stdout.trim_end() == line),
        Fails::Panics(text) | Fails::Loom(text) => (101, seen.stderr.contains(text)),
    };
    status_of(seen) == Some(status) && text_is_there
}

/// Whether the fixed version ended well, with its line.
pub(crate) fn passes(exhibit: &Exhibit, seen: &Outcome) -> bool {
    status_of(seen) == Some(0) && seen.stdout.trim_end() == exhibit.passes
}

/// `None` if it was killed, or ended by a signal.
fn status_of(seen: &Outcome) -> Option<i32> {
    match seen.end {
        End::Exited(status) => status.code(),
        End::TimedOut | End::Flooded => None,
    }
}

/// What the child process does: its arguments are the name, which version, and the limit in milliseconds. `None`
/// if this process is no such child.
pub fn inside() -> Option<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [inside, name, version, limit] = &arguments[..] else {
        return None;
    };
    let exhibit = crate::exhibit(name).filter(|_| inside == INSIDE)?;
    let limit = Duration::from_millis(limit.parse().ok()?);
    // As std says it, without the number of the thread, which is another one in each run.
    panic::set_hook(Box::new(|info| {
        let thread = thread::current();
        let name = thread.name().unwrap_or("without a name").to_owned();
        // Its first line is the place.
        let says = info.to_string();
        let (_, says) = says.split_once('\n').unwrap_or_default();
        eprintln!("thread {name:?} panicked: {says}");
    }));
    match version.as_str() {
        "broken" => probe::within(limit, exhibit.broken),
        _ => probe::within(limit, exhibit.repaired),
    }
    Some(ExitCode::SUCCESS)
}

fn run(exhibit: &Exhibit, version: &str, limit: Duration, museum: &Path) -> Outcome {
    let (mut command, to_build) = if needs_miri(exhibit) {
        (miri(), TO_BUILD)
    } else {
        (Command::new(museum), Duration::ZERO)
    };
    command
        .args([
            INSIDE,
            exhibit.name,
            version,
            &limit.as_millis().to_string(),
        ])
        .env("RUST_BACKTRACE", "0");
    let limits = Limits::time(to_build + limit + GRACE);
    process::run(&mut command, limits).expect("a process for the exhibit")
}

/// Whether there is a nightly toolchain with Miri.
fn has_miri() -> bool {
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

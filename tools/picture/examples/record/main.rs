//! Records the runs that the book shows, and compares them with `book/recordings`, or writes them there: see the README.
//!
//! `compare.rs` says when two recordings are the same. The other files are the runs. The order of the events of each is the same every
//! time, as long as no thread is kept from its work for longer than the shortest of its delays.

mod compare;
mod executors;
mod exhibit;
#[cfg(target_os = "linux")]
mod socket_ready;
mod timers;
mod woken_in_poll;
mod workers;

use std::{env, process::ExitCode, thread, time::Duration};

use probe::Recording;
use woken_in_poll::woken_in_poll;

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_millis(200);

type Record = fn() -> Recording;

/// By their names in `book/players.toml`. An exhibit's two runs are there, in the order of its listing.
const RUNS: &[(&str, Record)] = &[
    ("run-03-block-on", timers::block_on),
    ("run-04-woken", executors::woken),
    ("run-04-blocks-broken", executors::blocks),
    ("run-04-blocks-fixed", executors::awaits),
    ("run-05-parker", timers::parker),
    ("run-06-reactor", timers::reactor),
    ("run-07-handed-over", timers::handed_over),
    ("run-08-woken-in-poll-broken", || woken_in_poll(true)),
    ("run-08-woken-in-poll-fixed", || woken_in_poll(false)),
    #[cfg(target_os = "linux")]
    ("run-09-socket-ready", socket_ready::socket_ready),
    ("run-10-steal", workers::steal),
];

/// Does not sleep meanwhile, so the picture shows a thread that is busy.
fn compute_until(done: impl Fn() -> bool) {
    while !done() {
        thread::yield_now();
    }
}

fn main() -> ExitCode {
    if let Some(code) = museum::visit::inside() {
        return code;
    }
    if !cfg!(recorded) {
        eprintln!("record: it takes RUSTFLAGS=\"--cfg recorded\" and --target-dir target/recorded");
        return ExitCode::from(2);
    }
    let besides = picture::besides().unwrap_or_else(|error| panic!("{error}"));
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (options, wanted): (Vec<_>, Vec<_>) = arguments.iter().partition(|it| *it == "--write");
    let mut is_stale = false;
    let mut check = |name: &str, run: &compare::Run<'_>| {
        if wanted.is_empty() || wanted.iter().any(|it| name.starts_with(*it)) {
            let beside = picture::beside(&besides, name).expect("players.toml has each run");
            if let Err(stale) = compare::check(name, beside, run, !options.is_empty()) {
                eprintln!("{stale}");
                is_stale = true;
            }
        }
    };
    for (name, run) in RUNS {
        check(name, run);
    }
    for it in besides.values() {
        for ((name, _), listing) in it.runs.iter().zip(&it.listing) {
            if let Some(exhibit) = listing.strip_prefix("lab/museum/src/exhibits/") {
                check(name, &|| exhibit::run(exhibit));
            }
        }
    }
    ExitCode::from(u8::from(is_stale))
}

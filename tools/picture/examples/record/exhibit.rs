//! The broken version of an exhibit, or the fixed one, in a process of its own.

use std::{env, fs, process};

use probe::Recording;

/// The names of those whose runs the book shows, in `book/players.toml` and in the museum.
pub const SHOWN: &[(&str, &str)] = &[
    ("run-01-sleep-ignores", "sleep-ignores-the-waker"),
    ("run-03-stale-waker", "stale-waker"),
    ("run-04-bounded-queue", "bounded-queue"),
    ("run-05-shared-token", "shared-park-token"),
    ("run-06-futurelock", "futurelock"),
    ("run-08-permit-swallowed", "permit-swallowed"),
];

/// What it does until it ends, or the watchdog ends it.
pub fn run(exhibit: &str, version: &str) -> Recording {
    let file = env::temp_dir().join(format!("{exhibit}-{version}-{}.json", process::id()));
    let this = env::current_exe().expect("the path of this program");
    let mut museum = process::Command::new(this);
    museum
        .args(["--inside", exhibit, version, "400"])
        .env("PROBE_TRACE", &file);
    museum.output().expect("a process for the exhibit");
    let json = fs::read_to_string(&file).expect("the watchdog has written it");
    fs::remove_file(&file).expect("it is there");
    let mut recording: Recording = serde_json::from_str(&json).expect("it is a recording");
    recording.report.clear();
    recording
}

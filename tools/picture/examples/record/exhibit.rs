//! The broken version of an exhibit, or the fixed one, in a process of its own.

use std::{env, fs, process};

use probe::Recording;

/// What the one in this listing, such as `stale_waker.rs:broken`, does until it ends, or the watchdog ends it.
pub fn run(listing: &str) -> Recording {
    let exhibit = listing.replace('_', "-");
    let (exhibit, version) = exhibit.split_once(".rs:").expect("a file and an anchor");
    let file = env::temp_dir().join(format!("{exhibit}-{version}-{}.json", process::id()));
    let this = env::current_exe().expect("the path of this program");
    let mut museum = process::Command::new(this);
    museum
        .args(["--inside", exhibit, version, "400"])
        .env("WHY_PENDING_TRACE", &file);
    museum.output().expect("a process for the exhibit");
    let json = fs::read_to_string(&file).expect("the watchdog has written it");
    fs::remove_file(&file).expect("it is there");
    let mut recording: Recording = serde_json::from_str(&json).expect("it is a recording");
    recording.report.clear();
    recording
}

//! Each program in `examples/` shows one mistake in a released crate, and does so in each run.

use std::{env, process::Command, time::Duration};

use kit::process::{self, End, Limits};

/// Runs a program for two seconds at most, and returns how it ended, or `None` if it hung, and its last line.
fn run(name: &str) -> (Option<Option<i32>>, String) {
    let tests = env::current_exe().unwrap();
    let folder = tests.ancestors().nth(2).unwrap().join("examples");
    let limits = Limits::time(Duration::from_secs(2));
    let ran = process::run(&mut Command::new(folder.join(name)), limits).unwrap();
    let last = ran.stdout.lines().last().unwrap_or_default().to_owned();
    match ran.end {
        End::Exited(status) => (Some(status.code()), last),
        _ => (None, last),
    }
}

#[test]
fn each_program_hangs_aborts_or_leaves_something_behind() {
    let left = "wakers that are left: 1, and without a sender: 0";
    for (name, end, last) in [
        ("event_listener", None, "sending"),
        ("flume", None, "sending"),
        ("kanal", None, "received: Ok(Some(7))"),
        ("switchyard", None, "dropping"),
        ("embassy_time", None, "starting another"),
        ("monoio_yield", None, "waiting"),
        ("monoio_dying_thread", None, "woken"),
        ("monoio_sleep", None, "waiting"),
        ("edge_executor", Some(Some(0)), "futures that are left: 1"),
        ("futures_mpsc", Some(Some(0)), left),
        ("tokio_local_set", Some(None), ""), // ended by a signal
    ] {
        assert_eq!(run(name), (end, last.to_owned()), "{name}");
    }
}

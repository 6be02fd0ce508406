//! Each program in `examples/` shows one mistake in a released crate, and does so in each run.

use std::{
    env,
    io::Read,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What hangs is seen after this time.
const LIMIT: Duration = Duration::from_secs(2);

/// Runs a program, and returns whether it has ended, its status, and the last line that it has printed.
fn run(name: &str) -> (Option<i32>, bool, String) {
    let tests = env::current_exe().unwrap();
    let folder = tests.ancestors().nth(2).unwrap().join("examples");
    let mut program = Command::new(folder.join(name));
    program.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = program.spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < LIMIT {
        thread::sleep(Duration::from_millis(5));
    }
    let ended = child.try_wait().unwrap();
    let _ = child.kill();
    let status = child.wait().unwrap();
    let mut said = String::new();
    child.stdout.unwrap().read_to_string(&mut said).unwrap();
    let last = said.lines().last().unwrap_or_default().to_owned();
    (status.code(), ended.is_some(), last)
}

#[test]
fn they_hang_behind_this_line() {
    for (name, last) in [
        ("event_listener", "sending"),
        ("flume", "sending"),
        ("kanal", "received: Ok(Some(7))"),
        ("switchyard", "dropping"),
        ("embassy_time", "starting another"),
        ("monoio_yield", "waiting"),
        ("monoio_dying_thread", "woken"),
        ("monoio_sleep", "waiting"),
    ] {
        assert_eq!(run(name), (None, false, last.to_owned()), "{name}");
    }
}

#[test]
fn they_end_with_something_that_is_left() {
    for (name, last) in [
        ("edge_executor", "futures that are left: 1"),
        (
            "futures_mpsc",
            "wakers that are left: 1, and without a sender: 0",
        ),
    ] {
        assert_eq!(run(name), (Some(0), true, last.to_owned()), "{name}");
    }
}

#[test]
fn it_aborts() {
    assert_eq!(run("tokio_local_set"), (None, true, String::new()));
}

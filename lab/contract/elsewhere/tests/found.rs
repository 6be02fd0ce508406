//! Each program in `examples/` shows one mistake in a released crate, or one choice, and does so in each run. Each has a report.

use std::{collections::BTreeSet, env, fs, path::Path, process::Command, time::Duration};

use kit::process::{self, End, Limits};

/// How each program ends, `None` if it does not, and the last line that it prints.
const FOUND: &[(&str, Option<Option<i32>>, &str)] = &[
    ("event_listener", None, "sending"),
    ("flume", None, "sending"),
    ("futures_shared", None, "sending"),
    ("catty", None, "sending"),
    ("embassy_time", None, "starting another"),
    ("switchyard", None, "dropping"),
    ("local_sync", Some(Some(101)), "dropping"),
    ("tokio_local_set", Some(None), ""), // ended by a signal
    ("monoio_dying_thread", None, "woken"),
    ("kanal", None, "received: Ok(Some(7))"),
    ("monoio_sleep", None, "waiting"),
    (
        "async_oneshot",
        Some(Some(0)),
        "wakers that are left: 99, messages: 1",
    ),
    ("postage", Some(Some(0)), "wakers that are kept: 1000"),
    (
        "async_lock_semaphore",
        Some(Some(0)),
        "permits that are free: 1, the second task has had one: false",
    ),
    (
        "futures_intrusive",
        Some(Some(0)),
        "permits that are free: 2, the task has had one: false",
    ),
    (
        "futures_intrusive_receive",
        Some(Some(0)),
        "finished: true, still in the list: true",
    ),
    (
        "monoio_last_waker",
        Some(Some(0)),
        "dropped on its own thread: false",
    ),
    ("edge_executor", Some(Some(0)), "futures that are left: 1"),
    ("edge_executor_yield", None, "running"),
    (
        "async_lock_rwlock",
        Some(Some(0)),
        "polls of readers that have to wait: 2002",
    ),
    (
        "futures_mpsc",
        Some(Some(0)),
        "wakers that are left: 1, and without a sender: 0",
    ),
    ("monoio_yield", None, "waiting"),
    (
        "futures_thread_pool",
        Some(Some(0)),
        "the future still exists: true",
    ),
    ("crossfire", Some(Some(0)), "allocations: 1000"),
    ("kanal_recv", Some(Some(0)), "received: Ok(None)"),
];

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
fn each_program_shows_what_its_report_says() {
    for (name, end, last) in FOUND {
        assert_eq!(run(name), (*end, (*last).to_owned()), "{name}");
    }
}

fn names(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let stems = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    stems.filter(|stem| stem != "README").collect()
}

/// In the order in which somebody who reads it needs them.
const PARTS: [&str; 7] = [
    "# ",
    "- *Program:* ",
    "- *Lines:* ",
    "- *Known:* ",
    "**What happens.** ",
    "**Why.** ",
    "**A fix.** ",
];

#[test]
fn each_program_is_run_and_has_a_whole_report() {
    let run: BTreeSet<_> = FOUND.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(names("examples"), run);
    let mut reported = names("reports");
    assert!(
        reported.remove("compio_948"),
        "it is a workspace of its own"
    );
    assert_eq!(reported, run);
    for name in names("reports") {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
        let text = fs::read_to_string(folder.join(format!("{name}.md"))).unwrap();
        let begun: Vec<_> = text
            .lines()
            .filter_map(|line| PARTS.into_iter().find(|part| line.starts_with(part)))
            .collect();
        assert_eq!(begun, PARTS, "{name}");
        let program = format!("`examples/{name}.rs`");
        assert!(text.contains(&program) || name == "compio_948", "{name}");
    }
}

//! The runs of exhibits that the book shows: the broken version and the fixed one, each in a process of its own.

use std::{env, fs, process};

use probe::{Lane, Recording, Run, Wording};

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recordings_in_the_book_are_as_they_run_now() {
    for run in RUNS {
        run.check();
    }
}

/// The broken version, with what stands under the player of both.
const fn broken(
    name: &'static str,
    title: &'static str,
    caption: &'static str,
    lanes: &'static [Lane],
    record: fn() -> Recording,
) -> Run {
    Run {
        name,
        title,
        caption,
        // Only some fixed versions have a second one.
        threads: &["main", "its thread"],
        lanes,
        wording: Wording::Polls,
        most: usize::MAX,
        record,
    }
}

const fn fixed(name: &'static str, lanes: &'static [Lane], record: fn() -> Recording) -> Run {
    broken(name, "", "", lanes, record)
}

const SLEEP: &[Lane] = &[
    Lane::Thread("main", "main: the executor's thread"),
    Lane::Task("sleep", "`sleep`: a sleep of 30 ms"),
    Lane::Wakers("the waker that is stored"),
    Lane::Thread("its thread", "its thread: sleeps in its place"),
];

const TIMER: &[Lane] = &[
    Lane::Thread("main", "main: the new task's thread"),
    Lane::Task("timer", "`timer`: polled by two tasks"),
    Lane::Wakers("the waker that it stores"),
];

const QUEUE: &[Lane] = &[
    Lane::Thread("main", "main: the executor's thread"),
    Lane::Task("five at once", "`five at once`: wakes itself five times"),
];

const OUTER: &[Lane] = &[
    Lane::Thread("main", "main: the outer `block_on`"),
    Lane::Task("outer", "`outer`: woken in its first poll"),
];

const TASK: &[Lane] = &[
    Lane::Thread("main", "main: the executor's thread"),
    Lane::Task("task", "`task`: holds the lock, and asks for it"),
    Lane::Wakers("the waker that is stored"),
];

const SECOND: &[Lane] = &[
    Lane::Thread("main", "main: the executor's thread"),
    Lane::Task("first", "`first`: the permit is handed to it"),
    Lane::Task("second", "`second`: waits for the permit"),
    Lane::Wakers("the waker that is stored"),
];

const RUNS: &[Run] = &[
    broken(
        "run-01-sleep-ignores-broken",
        "A sleep that does not keep its waker, and one that does",
        "The broken sleep is polled once. No thread has a clone of its waker, so the executor's thread sleeps on when the time is up.",
        SLEEP,
        || traced("sleep-ignores-the-waker", "broken"),
    ),
    fixed("run-01-sleep-ignores-fixed", SLEEP, || {
        traced("sleep-ignores-the-waker", "repaired")
    }),
    broken(
        "run-03-stale-waker-broken",
        "A timer that keeps the waker of its first poll, and one that keeps the latest",
        "Both timers are polled by one task and then by another. The broken one calls the waker of the first, and the second task sleeps on.",
        TIMER,
        || traced("stale-waker", "broken"),
    ),
    fixed("run-03-stale-waker-fixed", TIMER, || {
        traced("stale-waker", "repaired")
    }),
    broken(
        "run-04-bounded-queue-broken",
        "A task wakes itself five times, on a queue with room for four and on one without a bound",
        "The executor's own thread makes the wakes, inside a poll. With a bound it blocks in the fifth, and no other thread could make room.",
        QUEUE,
        || traced("bounded-queue", "broken"),
    ),
    fixed("run-04-bounded-queue-fixed", QUEUE, || {
        traced("bounded-queue", "repaired")
    }),
    broken(
        "run-05-shared-token-broken",
        "Two calls of block_on share a thread's token, or have one each",
        "The outer future is woken in its poll. In the broken version, the inner call takes the token of that wake, so the outer one parks and is not polled again.",
        OUTER,
        || traced("shared-park-token", "broken"),
    ),
    fixed("run-05-shared-token-fixed", OUTER, || {
        traced("shared-park-token", "repaired")
    }),
    broken(
        "run-06-futurelock-broken",
        "A future that holds a lock and is not polled any more, and one that is dropped",
        "The task waits for a lock that a future of its own holds. It no longer polls that future, so the lock is never released.",
        TASK,
        || traced("futurelock", "broken"),
    ),
    fixed("run-06-futurelock-fixed", TASK, || {
        traced("futurelock", "repaired")
    }),
    broken(
        "run-08-permit-swallowed-broken",
        "A permit is handed to a waiter that is dropped: it is lost, or passed on",
        "The first waiter is woken, and dropped before its next poll. The broken version doesn't wake the second one, which waits for the permit that no task has.",
        SECOND,
        || traced("permit-swallowed", "broken"),
    ),
    fixed("run-08-permit-swallowed-fixed", SECOND, || {
        traced("permit-swallowed", "repaired")
    }),
];

/// What a version of an exhibit does until it ends, or the watchdog ends it.
fn traced(exhibit: &str, version: &str) -> Recording {
    let file = env::temp_dir().join(format!("{exhibit}-{version}-{}.json", process::id()));
    let mut museum = process::Command::new(env!("CARGO_BIN_EXE_museum"));
    museum.args(["--inside", exhibit, version, "400"]);
    museum
        .env("PROBE_TRACE", &file)
        .output()
        .expect("a process for the exhibit");
    let json = fs::read_to_string(&file).expect("the watchdog has written it");
    fs::remove_file(&file).expect("it is there");
    serde_json::from_str(&json).expect("it is a recording")
}

//! The runs of exhibits that the book shows: the broken version and the fixed one, each in a process of its own.

use std::{env, fs, process};

use probe::{Lane, Recording, Run, Wording};

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recordings_in_the_book_are_as_they_run_now() {
    for run in RUNS.as_flattened() {
        run.check();
    }
}

/// The broken version of an exhibit, with what stands under the player of both, and the fixed one.
macro_rules! both {
    ($name:literal, $exhibit:literal, $lanes:expr, $title:literal, $caption:literal) => {{
        const BROKEN: Run = Run {
            name: concat!($name, "-broken"),
            title: $title,
            caption: $caption,
            // Only some fixed versions have a second one.
            threads: &["main", "its thread"],
            lanes: $lanes,
            wording: Wording::Polls,
            record: || traced($exhibit, "broken"),
        };
        let fixed = Run {
            name: concat!($name, "-fixed"),
            title: "",
            caption: "",
            record: || traced($exhibit, "repaired"),
            ..BROKEN
        };
        [BROKEN, fixed]
    }};
}

const SLEEP: &[Lane] = &[
    Lane::Thread("main: the executor's thread"),
    Lane::Thread("its thread: sleeps in its place"),
    Lane::Wakers("the waker that is stored"),
    Lane::Task("`sleep`: a sleep of 30 ms"),
];

const TIMER: &[Lane] = &[
    Lane::Thread("main: the new task's thread"),
    Lane::Wakers("the waker that it stores"),
    Lane::Task("`timer`: polled by two tasks"),
];

const QUEUE: &[Lane] = &[
    Lane::Thread("main: the executor's thread, which sends too"),
    Lane::Task("`five`: wakes itself five times"),
];

const OUTER: &[Lane] = &[
    Lane::Thread("main: calls both `block_on`"),
    Lane::Task("`outer`: woken, and then it calls `inner`"),
    Lane::Task("`inner`: yields once"),
];

const TASK: &[Lane] = &[
    Lane::Lock("exhibits/futurelock.rs"),
    Lane::Thread("main: the executor's thread"),
    Lane::Task("`task`: polls `work`, and then `lock()`"),
    Lane::Task("`work`: holds the lock in between two polls"),
    Lane::Task("`lock()`: waits for the lock"),
];

const SECOND: &[Lane] = &[
    Lane::Thread("main: the executor's thread"),
    Lane::Wakers("the waker that is stored"),
    Lane::Task("`first`: the permit is handed to it"),
    Lane::Task("`second`: waits for the permit"),
];

const RUNS: &[[Run; 2]] = &[
    both!(
        "run-01-sleep-ignores",
        "sleep-ignores-the-waker",
        SLEEP,
        "A sleep that does not keep its waker, and one that does",
        "The broken sleep is polled once. No thread has a clone of its waker, so the executor's thread sleeps on when the time is up."
    ),
    both!(
        "run-03-stale-waker",
        "stale-waker",
        TIMER,
        "A timer that keeps the waker of its first poll, and one that keeps the latest",
        "Both timers are polled by one task and then by another. The broken one calls the waker of the first, and the second task sleeps on."
    ),
    both!(
        "run-04-bounded-queue",
        "bounded-queue",
        QUEUE,
        "A task wakes itself five times, on a queue with room for four and on one without a bound",
        "The executor's own thread makes the wakes, inside a poll. With a bound it blocks in the fifth, and no other thread could make room."
    ),
    both!(
        "run-05-shared-token",
        "shared-park-token",
        OUTER,
        "Two calls of block_on share a thread's token, or have one each",
        "The outer future is woken in its poll. In the broken version, the inner call takes the token of that wake, so the outer one parks and is not polled again."
    ),
    both!(
        "run-06-futurelock",
        "futurelock",
        TASK,
        "A future that holds a lock and is not polled any more, and one that is dropped",
        "The task waits for a lock that a future of its own holds. It no longer polls that future, so the lock is never released."
    ),
    both!(
        "run-08-permit-swallowed",
        "permit-swallowed",
        SECOND,
        "A permit is handed to a waiter that is dropped: it is lost, or passed on",
        "The first waiter is woken, and dropped before its next poll. The broken version doesn't wake the second one, which waits for the permit that no task has."
    ),
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

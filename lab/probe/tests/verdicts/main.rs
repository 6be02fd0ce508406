//! The verdict on each of many programs that hang: what it has to say, and what it must not.

// Miri starts no programs.
#![cfg(not(miri))]

mod futures_alone;
mod on_tokio;
mod props;
mod with_names;

use std::{env, process::Command, time::Duration};

/// The environment variable with the name of a program.
const PROGRAM: &str = "PROBE_TEST_PROGRAM";
/// Many times what the programs take to come to their fault.
const LIMIT: Duration = Duration::from_millis(800);

/// Run by the tests below, each time in a process of its own. Without its variable it does nothing.
#[test]
fn a_program() {
    if let Ok(name) = env::var(PROGRAM) {
        let all = on_tokio::ALL.iter();
        let mut all = all.chain(futures_alone::ALL).chain(with_names::ALL);
        let (_, program) = all.find(|it| it.0 == name).expect("a program of this name");
        // Unless it has a limit of its own.
        let of_its_own = name.ends_with("within_a_task");
        probe::within(if of_its_own { 8 * LIMIT } else { LIMIT }, program);
    }
}

fn verdict(program: &str) -> String {
    let this = env::current_exe().expect("the system knows where this program is");
    let mut test = Command::new(this);
    let output = test
        .args(["--exact", "a_program"])
        .env(PROGRAM, program)
        .output();
    let output = output.expect("this program can be started");
    assert_eq!(output.status.code(), Some(1), "{program}: {output:?}");
    let said = String::from_utf8(output.stderr).expect("it writes UTF-8");
    // As wide as it likes: a line is broken where it may be.
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Each of these is said, and the first one before all else. Of an executor that loses wakes nothing is said, since none does.
fn assert_says(program: &str, right: &[&str]) {
    let said = verdict(program);
    assert!(said.starts_with(right[0]), "{program}:\n{said}");
    for right in right {
        assert!(said.contains(right), "{program}: {right:?} in\n{said}");
    }
    for line in lines_that_wait(program) {
        assert!(said.contains(&line), "{program}: {line:?} in\n{said}");
    }
    if !right.contains(&LOST) {
        assert!(!said.contains(LOST), "{program}:\n{said}");
    }
}

/// The lines of a program with the comment `waits`, which the verdict must name.
fn lines_that_wait(program: &str) -> Vec<String> {
    let text = include_str!("on_tokio.rs");
    let lines = (1..).zip(text.lines());
    let body = lines.skip_while(|(_, line)| *line != format!("    {program} {{"));
    let body = body.take_while(|(_, line)| *line != "    }");
    let waits = body.filter(|(_, line)| line.ends_with("// waits"));
    waits
        .map(|(number, _)| format!("on_tokio.rs:{number}"))
        .collect()
}

const LOST: &str = "The executor lost the wake";

macro_rules! verdicts {
    ($($program:ident: $($right:expr),+;)*) => {
        $(#[test] fn $program() { assert_says(stringify!($program), &[$($right),+]); })*
    };
}

verdicts! {
    passed_by: r#"task 2 "first" was woken, but "main", which polls it, does not poll it any more."#, r#"task 1 "main" waits for "second""#;
    buffered_and_not_polled: r#"task 3 "work" was woken, but "main", which polls it, does not poll it any more."#, "no permit is free";
    join_forgets_a_child: r#"task 2 "left" was woken, but "main", which polls it, does not poll it any more."#;
    child_is_ready_and_join_is_not: r#"task 1 "main" returned Pending, but no clone of its waker was kept."#;
    cancelled_read: r#""main" makes "read" (lab/probe/tests/verdicts/on_tokio.rs:"#, "again and again, and drops it before it is ready.", "cancel safe";
    cancelled_by_timeout: r#""main" makes "connect" ("#;
    none_kept_after_a_sleep: r#"task 1 "main" returned Pending, but its poll has dropped each clone of its waker"#, "pending()";
    none_kept_after_a_select: r#"task 1 "main" returned Pending, but its poll has dropped each clone of its waker"#;
    drop_waits_for_a_thread: "every watched future is ready or dropped", "spawn_blocking", "shutdown_timeout";
    executor_in_a_poll: r#"task 1 "outer" is inside poll, where another executor polls "inner"."#, "spawn_blocking", r#"also not finished: task 2 "inner" waits in the poll of "outer""#;
    circle_of_locks: r#"task 1 "ab" returned Pending"#, "the lock is taken", r#"task 2 "ba" returned Pending"#, "who has the guard";
    haystack: r#"task 21 "ab" returned Pending"#, r#"task 22 "ba""#, r#"likewise 19 others of the same line, "idle 1" to "idle 19"."#;
    locked_twice: r#"task 1 "main" returned Pending"#, "the lock is taken", "It may be this very task";
    sender_is_kept: r#"task 1 "main" returned Pending"#, "the channel is empty, and a sender is still there", "also the one that the others were cloned from.";
    full_channel: r#"task 1 "main" returned Pending"#, "no place is free in the channel", "If this very task receives, it waits for itself.";
    reply_never_sent: r#"task 1 "main" returned Pending"#, "the sender is still there, and has sent nothing.";
    notified_too_early: r#"task 1 "main" returned Pending"#, "notify_waiters reaches those alone that wait already";
    permit_forgotten: r#"task 1 "main" returned Pending"#, "no permit is free";
    read_and_then_write: r#"task 1 "main" returned Pending"#, "a guard of the other kind is held", "this very task";
    barrier_of_three: r#"task 1 "main" returned Pending"#, "fewer tasks have come to the barrier than it waits for.";
    watch_never_changed: r#"task 1 "main" returned Pending"#, "the value has not been changed";
    broadcast_is_silent: r#"task 1 "main" returned Pending"#, "no message has come since this receiver was made";
    accepts: r#"task 1 "main" returned Pending"#, "no connection has come. A server that is idle waits here.";
    peer_says_nothing: r#"task 1 "main" returned Pending"#, "the other side has sent nothing more, and has not closed.", "who closes?";
    joins_a_task_that_waits: r#"task 1 "main" returned Pending"#, "the task that it joins is not finished.", r#"task 2 "worker" returned Pending"#, "a sender is still there";
    shutdown_circle: r#"task 1 "main" returned Pending"#, "a sender is still there", r#"task 2 "connection" returned Pending"#, "no message has come";
    local_task_never_polled: r#"task 1 "local" was never polled."#;
    yields_in_a_loop: r#"task 1 "main" is still at work."#, "each poll gives way, and is made again at once", "tokio::task::yield_now";
    blocks_the_only_thread: r#"task 1 "main" is inside poll, and poll does not return."#, r#"task 2 "sends" was never polled."#;
    std_lock_across_an_await: r#"task 3 "two" is inside poll, and poll does not return."#, r#"also not finished: task 1 "main" waits for "two", which it polls."#;
    send_behind_its_own: r#"task 2 "first" was woken, but "main", which polls it, does not poll it any more."#, "promised to a sender before this";
    blocks_within_a_task: r#"task 1 "lab/probe/tests/verdicts/on_tokio.rs:"#, "is inside poll, and poll does not return.", "Stopped after 50ms";
    unordered_inside_select: r#"task 1 "main" returned Pending, but no clone of its waker was kept."#, r#"task 2 "part 0" was woken, but "main", which polls it, does not poll it any more."#, r#"likewise 2 others of the same line, "part 1" to "part 2"."#;
    joined_with_one_that_waits: r#"task 2 "part 0" returned Pending"#, "no notification is left for this one.", r#"likewise "part 1", of the same line."#;
    on_a_local_set: r#"task 1 "main" returned Pending"#, "the task that it joins is not finished.", r#"task 2 "inside" returned Pending"#, "the lock is taken";
    owner_is_gone: r#"task 2 "left" was woken, and never polled again: "had it", which had polled it, is over."#;
    one_place_for_two: r#"task 2 "one" returned Pending, and its waker was dropped without a wake in the poll of "two"."#;
    executor_forgets: r#"task 1 "main" was woken, and never polled again."#, LOST;
    join_swallows_the_wake: r#"task 1 "child" was woken, and the wake did not reach "join", which polls it."#;
    known_circle: r#"a circle of waits: "ab" waits for a lock at"#, r#""ba" has it since lab/probe/tests/verdicts/with_names.rs"#, r#""ba" waits for a lock at"#, r#""ab" has it since"#;
    known_self: r#"a circle of waits: "main" waits for a lock at"#, r#""main" has it since"#;
    known_sender: r#"task 1 "main" returned Pending"#, "waits for the sender of", "and it was not used yet, at lab/probe/tests/verdicts/with_names.rs";
    known_receiver: r#"task 1 "main" returned Pending"#, "waits for the receiver of", r#"task 2 "receives later" returned Pending"#, "waits for the sender of";
    known_channel_to_itself: "a circle of waits, unless an end has been given away since it was used:", r#""main" used it last at"#;
    known_readers: r#"a circle of waits: "main" waits for the lock of"#, r#""main" has it since"#;
    known_permit: r#"task 1 "main" returned Pending"#, r#"waits for the permits of"#, r#""has it" has it since"#, "waits for the notification of";
    known_task: r#"task 1 "main" returned Pending"#, "waits for the task of", r#"lab/probe/tests/verdicts/with_names.rs:"#, r#"" has it since"#;
    known_of_ones_own: r#"a circle of waits: "main" waits for the printer of"#;
    done_without_a_wake: r#"task 1 "timer" returned Pending, and its waker was not called after that."#, "it was ready. So the wake is missing.";
    two_children_of_a_join: r#"task 2 "one" returned Pending, and its waker was not called after that."#, r#"task 1 "main" waits for "one", which it polls."#;
}

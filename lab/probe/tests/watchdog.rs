//! Each mistake in a process of its own, and what the watchdog says to it, word for word.
//!
//! Elided are the numbers of a busy run, lines of code, and what the kernel says of a thread where
//! it need not say it, and that a busy machine was slow.

// Miri starts no programs.
#![cfg(not(miri))]

use snapbox::{
    IntoData, assert_data_eq,
    cmd::{Command, OutputAssert, cargo_bin},
    str,
};

fn end_of(mistake: &str) -> OutputAssert {
    Command::new(cargo_bin!("hang"))
        .arg(mistake)
        .assert()
        .code(1)
        .stdout_eq("")
}

/// Asserts what is said to it, and then why the process ended: its message, and the rest.
fn assert_says(mistake: &str, watched: &str, message: impl IntoData) {
    let end = end_of(mistake);
    let said = String::from_utf8_lossy(&end.get_output().stderr);
    let (said, ended) = said
        .split_once("\n\nStopped ")
        .expect("a message, then why it ended");
    assert_data_eq!(said, message);
    let page = "What else can hang, and how to find it: \"My program hangs\", a page of the book Poll to Tokio.";
    let step = "Step by step: set WHY_PENDING_TRACE to the full path of a file, run it again, and then, in a clone of Poll to Tokio: cargo run -p picture -- FILE";
    let rest =
        format!("after 200ms[..]: thread \"main\" [..].\nWatched: {watched}.\n{page}\n{step}\n");
    assert_data_eq!(ended, rest);
}

/// A test of a mistake: how many futures are watched, and the message.
macro_rules! says {
    ($(#[$attribute:meta])* $mistake:ident, $watched:literal, $message:expr) => {
        #[test]
        $(#[$attribute])*
        fn $mistake() {
            assert_says(&stringify!($mistake).replace('_', "-"), $watched, $message);
        }
    };
}

says! { kept_no_waker, "1 future", str![[r#"
task 1 "timer" returned Pending, but no clone of its waker was kept.
  at       [..], where it is watched
  seen     polled once
           kept no waker
           never woken
  means    Pending is a promise that a wake will come. Without a clone of the waker, no code can
           keep that promise.
  look at  each path through poll that ends in Pending. Before it returns, it must leave a clone of
           cx.waker() with the code that finishes the work.
  read     chapter 03, "A timer as a future"
"#]] }

says! { waker_dropped, "1 future", str![[r#"
task 1 "timer" returned Pending, but its poll has dropped each clone of its waker that it had made.
  at       [..], where it is watched
  seen     polled once
           kept 1 waker, 0 still there
           never woken
  means    no wake can come now. Either what this future awaits at last keeps no waker, as pending()
           does, and the clones belonged to an await or a branch that was over; or what should keep
           the waker did not take it, such as a channel without a receiver.
  look at  the await, or the path through poll, that ended in Pending. It must leave a clone of
           cx.waker() with the code that finishes the work.
  read     chapter 03, "A timer as a future"
"#]] }

says! { not_woken, "1 future", str![[r#"
task 1 "timer" returned Pending, and waits for an event that has not come.
  at       tests/hang/mistakes.rs:[..]
  seen     polled once
           kept 1 waker, 1 still there
           never woken
  means    the future has done its part. What it waits for has not happened: polled once more by the
           watchdog, it was pending again.
  look at  the code that finishes the work. Was it started? What does it wait for itself?
  read     chapter 03, "A timer as a future"
"#]] }

says! { waker_dropped_later, "1 future", str![[r#"
task 1 "timer" returned Pending, and its waker was dropped without a wake.
  at       [..], where it is watched
  seen     polled once
           kept 1 waker, 0 still there
           never woken
  means    a clone of the waker was kept and then dropped, perhaps because a thread ended, or with a
           channel or a map.
  look at  what owned the waker, and each way in which that owner can end without calling wake.
  read     chapter 06, "One thread for all timers"
"#]] }

says! { old_woken, "1 future", str![[r#"
task 1 "delay" was woken by an old waker rather than by the latest.
  at       [..], where it is watched
  seen     polled twice, once without a wake
           kept 3 wakers, 1 still there
           woken once, by thread "timer thread"
  means    each poll may bring a different waker, and only the waker of the latest poll has to work.
  look at  what poll does with its waker when an earlier poll has left one already.
  read     chapter 03, "A timer as a future"
"#]] }

says! { old_kept, "1 future", str![[r#"
task 1 "delay" keeps the waker of an earlier poll rather than that of the latest.
  at       [..], where it is watched
  seen     polled twice, once without a wake
           kept 1 waker, 1 still there
           never woken
  means    each poll may bring a different waker, and only the waker of the latest poll has to work.
  look at  what poll does with its waker when an earlier poll has left one already.
  read     chapter 03, "A timer as a future"
"#]] }

says! { polled_after_ready, "1 future, 1 ready (task 1 \"first\")", str![[r#"
task 1 "first" was polled again after it was Ready.
  at       [..], where it is watched
  seen     polled once
           kept no waker
           never woken
  means    its output has been taken, and there is no second one. An async block would have
           panicked.
  look at  the code that polls it. A future that was Ready must be dropped, or remembered as
           finished.
  read     chapter 02, "Two futures at once"
"#]] }

says! { busy_executor, "1 future", str![[r#"
task 1 "timer" is polled again and again without a wake.
  at       [..], where it is watched
  seen     polled [..] times, [..] times without a wake
           kept 1 waker, 1 still there
           never woken
  means    the executor polls in a loop instead of waiting for a wake. That costs CPU time, and it
           hides a wake that is missing.
  look at  the run loop. A task belongs back in the queue when its waker is called, rather than
           whenever it is Pending.
  read     chapter 04, "An executor on a channel"
"#]] }

says! { busy_future, "1 future", str![[r#"
task 1 "delay" wakes itself in each poll.
  at       tests/hang/mistakes.rs:[..]
  seen     polled [..] times
           kept no waker
           woken [..] times, the last time by its own poll
  means    a future that wakes itself is polled again at once, and the thread never sleeps. If it
           computes in between, it needs more time.
  look at  poll. If it waits, it should leave the waker with the code that sees the event, so that
           the event wakes the task.
  read     chapter 04, "An executor on a channel"
"#]] }

says! { at_work, "1 future", str![[r#"
task 1 "ping-pong" is still at work.
  at       tests/hang/mistakes.rs:[..]
  seen     polled [..] times
           kept [..] wakers, [..] still there
           woken [..] times, the last time by thread "echo"
  means    it was woken or polled just now. Either it needs more time, or its wakes go round in a
           circle.
  look at  whether each poll gets further than the one before. Of a select! in a loop, each branch
           that loses begins anew: watch it.
  read     chapter 02, "Two futures at once"
"#]] }

says! { #[cfg(target_os = "linux")] blocked, "1 future", str![[r#"
task 1 "reader" is inside poll, and poll does not return.
  at       tests/hang/mistakes.rs:[..], in [..]
  seen     polled once
           kept no waker
           never woken
  thread   thread "main" sleeps in a lock, a condition variable, a park, a recv or a join
  means    while this poll blocks, its thread cannot poll any other task, and no wake can change
           that.
  look at  what poll calls: a lock (a send waits for a borrow of its watch channel), sleep, recv,
           join, a read, a block_on, a loop. If it waits for another thread, does that one wait for
           a lock that is held here, or for a timer, a socket or a task of the runtime that this
           thread drives? If it is a lock of std's, put probe::Mutex in its place, and this message
           will name the thread that holds it.
  read     chapter 04, "An executor on a channel"
"#]] }

says! { lock_twice, "1 future", str![[r#"
task 1 "timer" waits inside poll for a lock that its own thread already holds.
  at       [..]
  seen     polled once
           kept no waker
           never woken
  lock     taken at lab/probe/tests/hang/mistakes.rs:[..] by thread "main", wanted at
           lab/probe/tests/hang/mistakes.rs:[..]
  means    a Mutex cannot be locked twice by one thread. The thread waits for itself, forever.
  look at  the guard that was taken first. Drop it before an await, and before you call code that
           takes the same lock. Calling, cloning or dropping a waker, or dropping a future, can be
           such a call, because each of them runs code that is not yours.
  read     chapter 03, "A timer as a future" and chapter 05, "Park, unpark and block_on"
"#]] }

says! { lock_held, "1 future", str![[r#"
task 1 "timer" waits inside poll for a lock that another thread holds.
  at       [..]
  seen     polled once
           kept no waker
           never woken
  lock     taken at lab/probe/tests/hang/mistakes.rs:[..] by thread "timer thread", wanted at
           lab/probe/tests/hang/mistakes.rs:[..]
  means    as long as that thread keeps its guard, this thread cannot poll anything.
  look at  what the other thread does while it holds the guard. It may be waiting for something that
           only a poll can do.
  read     chapter 03, "A timer as a future"
"#]] }

says! { lock_outside_poll, "1 future, 1 ready (task 1 \"first\")", str![[r#"
thread "main" waits outside any poll for a lock that it already holds.
  lock     taken at lab/probe/tests/hang/mistakes.rs:[..] by thread "main", wanted at
           lab/probe/tests/hang/mistakes.rs:[..]
  means    a Mutex cannot be locked twice by one thread. The thread waits for itself, forever.
  look at  the guard that was taken first. Drop it before an await, and before you call code that
           takes the same lock. Calling, cloning or dropping a waker, or dropping a future, can be
           such a call, because each of them runs code that is not yours.
  read     chapter 03, "A timer as a future" and chapter 05, "Park, unpark and block_on"
"#]] }

says! { panicked, "1 future, 1 panicked", str![[r#"
task 1 "first" panicked.
  at       [..], where it is watched
  seen     polled once
           kept no waker
           never woken
  means    a panic ends the task, and its thread too unless the executor catches the panic. The
           output of this task will never come.
  look at  the message of the panic, and whether the code that waits for the output learns of it.
  read     chapter 07, "A small tokio" and chapter 08, "Join handles and worker threads"
"#]] }

says! { run_does_not_end, "1 future, 1 ready (task 1 \"first\")", str![[r#"
every watched future is ready or dropped, but the run does not end.
  seen     1 waker still kept
  means    no watched future is left to wait for. Either one waits that is not watched, such as that
           of block_on; or an executor waits for more work, and none can come; or a runtime is being
           dropped, and that waits for a thread which does not end.
  look at  which of these it is. An executor must learn that all tasks are finished: from a channel
           without senders, or from a count of tasks that reaches zero; a waker that is still kept
           may hold a sender. The drop of a runtime (tokio's too) waits for each closure of
           spawn_blocking that runs, for tokio::fs and for a read from tokio::io::stdin: end it by
           shutdown_timeout or shutdown_background.
  read     chapter 04, "An executor on a channel" and chapter 08, "Join handles and worker threads"
"#]] }

says! { watched_elsewhere, "1 future", str![[r#"
task 1 "made by a worker" was never polled.
  at       [..], where it is watched
  seen     never polled
           kept no waker
           never woken
  means    a future does nothing until it is polled, and this one was not.
  look at  whether the task reached the executor's queue, whether the run loop reads that queue, and
           whether the future is awaited at all. A poll that blocks keeps its thread from all
           others: watch what that thread runs, too. The tasks of a LocalSet are polled only while
           the LocalSet is, and those of a runtime on a single thread only in its Runtime::block_on,
           not in Handle::block_on.
  read     chapter 04, "An executor on a channel"
"#]] }

/// No other thread can write while a thread holds standard error. The process ends all the same.
#[test]
fn stderr_held() {
    end_of("stderr-held").stderr_eq("");
}

#[test]
fn an_unknown_mistake_is_answered_by_the_known_ones() {
    Command::new(cargo_bin!("hang"))
        .arg("no-such")
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq(str![[r#"
no mistake is called "no-such"; there are: kept-no-waker, waker-dropped, waker-dropped-later, not-woken, old-woken, old-kept, polled-after-ready, busy-executor, busy-future, at-work, blocked, lock-twice, lock-held, lock-outside-poll, panicked, run-does-not-end, watched-elsewhere, stderr-held

"#]]);
}

const HANG: &str = "WHY_PENDING_TEST_HANGS";

/// Run by the test below, in a process of its own. Without its variable it does nothing.
#[test]
fn hangs_if_told_to() {
    if std::env::var_os(HANG).is_some() {
        why_pending::within(std::time::Duration::from_millis(100), || {
            loop {
                std::thread::park();
            }
        });
    }
}

/// The same, and before the one that hangs if there is only one thread.
#[test]
fn fails_if_told_to() {
    if std::env::var_os(HANG).is_some() {
        let limit = std::time::Duration::from_secs(60);
        why_pending::within(limit, || panic!("the reason why another test fails"));
    }
}

#[test]
fn what_failed_before_is_said_before_the_process_ends() {
    let this = std::env::current_exe().expect("the system knows where this program is");
    let mut command = std::process::Command::new(this);
    let command = command
        .args(["_if_told_to", "--test-threads=1"])
        .env(HANG, "1");
    let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
    let reason = said.find("the reason why another test fails");
    let hangs = said.find("no future is watched");
    assert!(reason.is_some() && reason < hangs, "{said}");
}

#[test]
fn the_message_is_not_kept_by_the_test_harness() {
    let this = std::env::current_exe().expect("the system knows where this program is");
    Command::new(this)
        .args(["--exact", "hangs_if_told_to"])
        .env(HANG, "1")
        .assert()
        .code(1)
        .stderr_eq(str![[r#"
no future is watched, so the watchdog cannot tell which one did not finish.
  look at  the futures of this test. Wrap each of them as probe::watch("its name", future).

Stopped after [..]100ms[..]: thread "hangs_if_told_to" [..].
Watched: 0 futures.
What else can hang, and how to find it: "My program hangs", a page of the book Poll to Tokio.
Step by step: set WHY_PENDING_TRACE to the full path of a file, run it again, and then, in a clone of Poll to Tokio: cargo run -p picture -- FILE

"#]]);
}

#[test]
fn a_trace_names_the_file_for_events_and_message() {
    for (mistake, what) in [("not-woken", "pending"), ("busy-executor", "poll")] {
        let file = std::env::temp_dir().join(format!("hangs-{}.json", std::process::id()));
        let mut hang = std::process::Command::new(env!("CARGO_BIN_EXE_hang"));
        let output = hang.arg(mistake).env("WHY_PENDING_TRACE", &file).output();
        let json = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(json.contains(&format!("\"what\":\"{what}\"")), "{json}");
        let said = String::from_utf8(output.unwrap().stderr).unwrap();
        let command = format!("Step by step: cargo run -p picture -- {}\n", file.display());
        assert!(said.contains(&command), "{said}");
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["report"], said);
    }
}

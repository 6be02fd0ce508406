//! Each mistake in a process of its own, and what the watchdog says to it, word for word.
//!
//! Elided are the numbers of a busy run, lines of code, and what the kernel says of a thread where
//! it need not say it.

// Miri starts no programs.
#![cfg(not(miri))]

use snapbox::{
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

#[test]
fn kept_no_waker() {
    end_of("kept-no-waker").stderr_eq(str![[r#"
task 1 "timer" returned Pending, and nobody kept its waker.
  seen     polled once
           kept no waker
           never woken
  means    Pending is a promise that a wake will come. Nobody has a waker to keep that promise with.
  look at  each way through poll that ends in Pending: it must first leave a clone of cx.waker()
           with whoever finishes the work.
  read     chapter 03, "A timer as a future"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn waker_dropped() {
    end_of("waker-dropped").stderr_eq(str![[r#"
task 1 "timer" returned Pending, and its waker was dropped without a wake.
  seen     polled once
           kept 1 waker, 0 still there
           never woken
  means    somebody had the waker and gave it up: a thread that ended, a channel or a map that was
           dropped.
  look at  who owned the waker, and every way on which the owner ends without calling wake.
  read     chapter 06, "One thread for all timers"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn not_woken() {
    end_of("not-woken").stderr_eq(str![[r#"
task 1 "timer" returned Pending, and nobody called its waker after that.
  seen     polled once
           kept 1 waker, 1 still there
           never woken
  means    the future waits in good order. What it waits for did not happen, or happened without a
           wake.
  look at  where the work is done: was it started, and does it call wake on every way out, after it
           has stored the result?
  read     chapter 03, "A timer as a future"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn not_woken_again() {
    end_of("not-woken-again").stderr_eq(str![[r#"
task 1 "timer" returned Pending, and nobody called its waker after that.
  seen     polled twice
           kept 1 waker, 1 still there
           woken once, by its own poll
  means    the future waits in good order. What it waits for did not happen, or happened without a
           wake.
  look at  where the work is done: was it started, and does it call wake on every way out, after it
           has stored the result?
  read     chapter 03, "A timer as a future"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn old_woken() {
    end_of("old-woken").stderr_eq(str![[r#"
task 1 "delay" was woken by an old waker, and not by the latest.
  seen     polled twice, once without a wake
           kept 3 wakers, 1 still there
           woken once, by thread "timer thread"
  means    each poll may bring another waker, and only the one of the latest poll has to work.
  look at  what poll does when it has a waker already: it must replace it.
  read     chapter 03, "A timer as a future"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn old_kept() {
    end_of("old-kept").stderr_eq(str![[r#"
task 1 "delay" keeps the waker of an earlier poll, and not that of the latest.
  seen     polled twice, once without a wake
           kept 1 waker, 1 still there
           never woken
  means    each poll may bring another waker, and only the one of the latest poll has to work.
  look at  what poll does when it has a waker already: it must replace it.
  read     chapter 03, "A timer as a future"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn not_polled_again() {
    end_of("not-polled-again").stderr_eq(str![[r#"
task 1 "yields" was woken, and never polled again.
  seen     polled once
           kept no waker
           woken once, by its own poll
  means    the future and its waker have done their part. The executor lost the wake.
  look at  what the executor's waker does: it must put the task where the run loop takes it from,
           and rouse the loop. A wake that comes during poll counts too.
  read     chapter 04, "An executor on a channel"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn never_polled() {
    end_of("never-polled").stderr_eq(str![[r#"
task 1 "first" was never polled.
  seen     never polled
           kept no waker
           never woken
  means    a future does nothing until somebody polls it, and nobody has.
  look at  whether it reached the executor's queue, whether the run loop reads that queue, and
           whether somebody awaits it.
  read     chapter 04, "An executor on a channel"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn polled_after_ready() {
    end_of("polled-after-ready").stderr_eq(str![[r#"
task 1 "first" was polled again after it was Ready.
  seen     polled once
           kept no waker
           never woken
  means    its result has been given out, and there is no second one. An async block would have
           panicked.
  look at  who polls it: one that is Ready must be dropped, or remembered as done.
  read     chapter 02, "Two futures at once"

Stopped after 200ms: thread "main" [..].
Watched: 1 future, 1 ready.

"#]]);
}

#[test]
fn busy_executor() {
    end_of("busy-executor").stderr_eq(str![[r#"
task 1 "timer" is polled without end, and no wake asks for it.
  seen     polled [..] times, [..] times without a wake
           kept 1 waker, 1 still there
           never woken
  means    the executor looks again and again instead of waiting to be told. That costs CPU time,
           and hides a wake that is missing.
  look at  the run loop: a task belongs back in the queue when its waker is called, not because it
           is Pending.
  read     chapter 04, "An executor on a channel"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn busy_future() {
    end_of("busy-future").stderr_eq(str![[r#"
task 1 "delay" wakes itself in each poll, without end.
  seen     polled [..] times
           kept no waker
           woken [..] times, the last time by its own poll
  means    a future that wakes itself is polled again at once. Nothing has happened in between, and
           the thread never sleeps.
  look at  poll: leave the waker with whoever sees the event, and let the event wake.
  read     chapter 04, "An executor on a channel"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn at_work() {
    end_of("at-work").stderr_eq(str![[r#"
task 1 "ping-pong" is still at work.
  seen     polled [..] times
           kept [..] wakers, [..] still there
           woken [..] times, the last time by thread "echo"
  means    it is woken and polled again and again. It needs more time, or its wakes go round in a
           circle.
  look at  whether it gets further from poll to poll.
  read     chapter 02, "Two futures at once"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
#[cfg(target_os = "linux")]
fn blocked() {
    end_of("blocked").stderr_eq(str![[r#"
task 1 "reader" is inside poll, and does not come back.
  seen     polled once
           kept no waker
           never woken
  thread   thread "main" sleeps in a lock, a condition variable, a park, a recv or a join
  means    while a poll blocks, its thread can poll nothing else, and no wake can help.
  look at  what poll calls: a lock, sleep, recv, join, a read, a loop. For a lock, put probe::Mutex
           in the place of std's, and this message will say who holds it.
  read     chapter 05, "Park, unpark and block_on"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
#[cfg(target_os = "linux")]
fn loop_in_poll() {
    end_of("loop-in-poll").stderr_eq(str![[r#"
task 1 "counter" is inside poll, and does not come back.
  seen     polled once
           kept no waker
           never woken
  thread   thread "main" runs: a loop or a long computation
  means    while a poll blocks, its thread can poll nothing else, and no wake can help.
  look at  what poll calls: a lock, sleep, recv, join, a read, a loop. For a lock, put probe::Mutex
           in the place of std's, and this message will say who holds it.
  read     chapter 05, "Park, unpark and block_on"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn lock_twice() {
    end_of("lock-twice").stderr_eq(str![[r#"
task 1 "timer" takes a lock inside poll that its own thread holds.
  seen     polled once
           kept no waker
           never woken
  lock     taken at lab/probe/src/bin/hang/mistakes.rs:[..] by thread "main", wanted at
           lab/probe/src/bin/hang/mistakes.rs:[..]
  means    a Mutex cannot be taken twice by one thread. It waits for itself, for ever.
  look at  the guard that was taken first: drop it before you call what locks again. Calling wake
           under a lock is such a call when the executor polls within the wake.
  read     chapter 03, "A timer as a future"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn lock_held() {
    end_of("lock-held").stderr_eq(str![[r#"
task 1 "timer" waits inside poll for a lock that another thread holds.
  seen     polled once
           kept no waker
           never woken
  lock     taken at lab/probe/src/bin/hang/mistakes.rs:[..] by thread "timer thread", wanted at
           lab/probe/src/bin/hang/mistakes.rs:[..]
  means    as long as that thread keeps its guard, this one can poll nothing at all.
  look at  what the other thread does while it holds the guard: it may wait for something that only
           a poll can do.
  read     chapter 03, "A timer as a future"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

#[test]
fn lock_outside_poll() {
    end_of("lock-outside-poll").stderr_eq(str![[r#"
thread "main" waits, outside of any poll, for a lock that it holds.
  lock     taken at lab/probe/src/bin/hang/mistakes.rs:[..] by thread "main", wanted at
           lab/probe/src/bin/hang/mistakes.rs:[..]
  means    a Mutex cannot be taken twice by one thread. It waits for itself, for ever.
  look at  the guard that was taken first: drop it before you call what locks again. Calling wake
           under a lock is such a call when the executor polls within the wake.
  read     chapter 03, "A timer as a future"

Stopped after 200ms: thread "main" [..].
Watched: 1 future, 1 ready.

"#]]);
}

#[test]
fn panicked() {
    end_of("panicked").stderr_eq(str![[r#"
task 1 "first" panicked in poll.
  seen     polled once
           kept no waker
           never woken
  means    a panic ends its task, and takes the thread along unless the executor catches it. Nobody
           will ever see the result.
  look at  the message of the panic, above, and whether those who wait for the result are told.
  read     chapter 07, "A small tokio"

Stopped after 200ms: thread "main" [..].
Watched: 1 future, 1 panicked.

"#]]);
}

#[test]
fn run_does_not_end() {
    end_of("run-does-not-end").stderr_eq(str![[r#"
every watched future is ready or dropped, and the run does not end.
  seen     1 waker of theirs still there
  means    the executor waits for more work, and none can come.
  look at  how the run loop learns that all is done: every sender gone, or a count of tasks at zero.
           A waker that somebody kept may hold a sender.
  read     chapter 04, "An executor on a channel"

Stopped after 200ms: thread "main" [..].
Watched: 1 future, 1 ready.

"#]]);
}

#[test]
fn nothing_watched() {
    end_of("nothing-watched").stderr_eq(str![[r#"
no future is watched, so nothing is known of what did not finish.
  look at  the futures that you hand over: wrap each in probe::watch("its name", future).

Stopped after 200ms: thread "main" [..].
Watched: 0 futures.

"#]]);
}

#[test]
fn many() {
    end_of("many").stderr_eq(str![[r#"
task 1 "number 1" returned Pending, and nobody kept its waker.
  seen     polled once
           kept no waker
           never woken
  means    Pending is a promise that a wake will come. Nobody has a waker to keep that promise with.
  look at  each way through poll that ends in Pending: it must first leave a clone of cx.waker()
           with whoever finishes the work.
  read     chapter 03, "A timer as a future"

task 2 "number 2" returned Pending, and nobody kept its waker.
  seen     polled once
           kept no waker
           never woken
  means    Pending is a promise that a wake will come. Nobody has a waker to keep that promise with.
  look at  each way through poll that ends in Pending: it must first leave a clone of cx.waker()
           with whoever finishes the work.
  read     chapter 03, "A timer as a future"

task 3 "number 3" returned Pending, and nobody kept its waker.
  seen     polled once
           kept no waker
           never woken
  means    Pending is a promise that a wake will come. Nobody has a waker to keep that promise with.
  look at  each way through poll that ends in Pending: it must first leave a clone of cx.waker()
           with whoever finishes the work.
  read     chapter 03, "A timer as a future"

also not finished:
  task 4 "number 4" returned Pending, and nobody kept its waker.
  task 5 "number 5" returned Pending, and nobody kept its waker.
  task 6 "number 6" returned Pending, and nobody kept its waker.
  task 7 "number 7" returned Pending, and nobody kept its waker.
  task 8 "number 8" returned Pending, and nobody kept its waker.
  task 9 "number 9" returned Pending, and nobody kept its waker.
  task 10 "number 10" returned Pending, and nobody kept its waker.
  task 11 "number 11" returned Pending, and nobody kept its waker.
  task 12 "number 12" returned Pending, and nobody kept its waker.
  task 13 "number 13" returned Pending, and nobody kept its waker.
  and 7 more

Stopped after 200ms: thread "main" [..].
Watched: 20 futures.

"#]]);
}

#[test]
#[cfg(target_os = "linux")]
fn behind() {
    end_of("behind").stderr_eq(str![[r#"
task 2 "reader" is inside poll, and does not come back.
  seen     polled once
           kept no waker
           never woken
  thread   thread "main" sleeps in a lock, a condition variable, a park, a recv or a join
  means    while a poll blocks, its thread can poll nothing else, and no wake can help.
  look at  what poll calls: a lock, sleep, recv, join, a read, a loop. For a lock, put probe::Mutex
           in the place of std's, and this message will say who holds it.
  read     chapter 05, "Park, unpark and block_on"

also not finished:
  task 1 "waits" was never polled.

Stopped after 200ms: thread "main" [..].
Watched: 2 futures.

"#]]);
}

#[test]
fn watched_elsewhere() {
    end_of("watched-elsewhere").stderr_eq(str![[r#"
task 1 "made by a worker" was never polled.
  seen     never polled
           kept no waker
           never woken
  means    a future does nothing until somebody polls it, and nobody has.
  look at  whether it reached the executor's queue, whether the run loop reads that queue, and
           whether somebody awaits it.
  read     chapter 04, "An executor on a channel"

Stopped after 200ms: thread "main" [..].
Watched: 1 future.

"#]]);
}

/// Nobody can write while another thread holds standard error. The process ends all the same.
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
no mistake is called "no-such"; there are: kept-no-waker, waker-dropped, not-woken, not-woken-again, old-woken, old-kept, not-polled-again, never-polled, polled-after-ready, busy-executor, busy-future, at-work, blocked, loop-in-poll, lock-twice, lock-held, lock-outside-poll, panicked, run-does-not-end, nothing-watched, many, behind, watched-elsewhere, stderr-held

"#]]);
}

const HANG: &str = "PROBE_TEST_HANGS";

/// Run by the test below, in a process of its own. Without its variable it does nothing.
#[test]
fn hangs_if_told_to() {
    if std::env::var_os(HANG).is_some() {
        probe::within(std::time::Duration::from_millis(100), || {
            loop {
                std::thread::park();
            }
        });
    }
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
no future is watched, so nothing is known of what did not finish.
  look at  the futures that you hand over: wrap each in probe::watch("its name", future).

Stopped after 100ms: thread "hangs_if_told_to" [..].
Watched: 0 futures.

"#]]);
}

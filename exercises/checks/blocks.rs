//! A poll does not block its thread, which has other tasks to poll.

use std::fs;

/// How often this thread has gone to sleep by itself. Only Linux says so.
fn sleeps() -> Option<u64> {
    let status = fs::read_to_string("/proc/thread-self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    line?.trim().parse().ok()
}

/// Sees to it that polls that have nothing to wait for do not put their thread to sleep.
#[track_caller]
pub fn assert_never(what: &str, mut poll: impl FnMut()) {
    // Once in a while a lock is taken for a moment, or the memory of a new thread is made.
    let blocked = (0..20).all(|_| {
        let before = sleeps();
        poll();
        before
            .zip(sleeps())
            .is_some_and(|(before, after)| after > before)
    });
    assert!(
        !blocked,
        "{what} was polled twenty times, and each poll put its thread to sleep.\n\
         Wanted: a poll returns at once. If there is nothing to do yet, it leaves its waker and is pending, and the thread \
         polls other tasks meanwhile.\n\
         Look at: which line of `poll` waits, for a time or for another thread?"
    );
}

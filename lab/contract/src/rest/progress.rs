//! What a test has come to: what it is trying, and the polls and wakes so far.

use std::sync::{
    Mutex,
    atomic::{AtomicU32, Ordering::SeqCst},
};

use crate::{jitter::jitter, lock::lock};

/// Begins a line that says what was found wrong, or what is being tried.
pub(crate) const SAYS: &str = "contract: ";

/// What was tried last, and what has happened to the futures of the test, in all.
static TRYING: Mutex<String> = Mutex::new(String::new());
static POLLS: AtomicU32 = AtomicU32::new(0);
static WAKES_SINCE: AtomicU32 = AtomicU32::new(0);
/// At how many looks in a row no thread ran, since the last poll, or since something else was tried.
static CALMED: AtomicU32 = AtomicU32::new(0);

/// Says what a test is trying now. If it hangs, that is part of the verdict.
pub(crate) fn says(what: &str) {
    CALMED.store(0, SeqCst);
    what.clone_into(&mut lock(&TRYING));
    eprintln!("{SAYS}{}", what.replace('\n', " "));
}

/// Counts a poll of a future of the test.
pub(crate) fn polled() {
    jitter();
    CALMED.store(0, SeqCst);
    POLLS.fetch_add(1, SeqCst);
    WAKES_SINCE.store(0, SeqCst);
}

/// Counts a wake by the test or by what it tests.
pub(crate) fn woken() {
    jitter();
    WAKES_SINCE.fetch_add(1, SeqCst);
}

/// Counts a look, and whether a thread ran at it. At how many in a row none did, and nothing was tried.
pub(super) fn looked(runs: bool) -> u32 {
    if runs {
        CALMED.store(0, SeqCst);
        0
    } else {
        CALMED.fetch_add(1, SeqCst) + 1
    }
}

/// Says with what a test has come no further.
pub(super) fn says_the_last() {
    let (polls, wakes) = (POLLS.load(SeqCst), WAKES_SINCE.load(SeqCst));
    let trying = lock(&TRYING).clone();
    let since = match wakes {
        0 => String::new(), // or those of a channel, which nobody counts
        _ => format!(", and {} since then", count(wakes, "wake")),
    };
    let so = if trying.is_empty() {
        "after"
    } else {
        ", after"
    };
    says(&format!("{trying}{so} {}{since}", count(polls, "poll")));
}

fn count(number: u32, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

//! How long a running test may still take, and what it is trying: it ends with the process, whatever hangs.

use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

/// Begins a line that says what was found wrong, or what is being tried.
pub(crate) const SAYS: &str = "contract: ";

/// When the time of this process is over.
static OVER: OnceLock<Instant> = OnceLock::new();

/// Says that this process tests a clause from now on, and ends when this time is over.
pub(crate) fn begin(limit: Duration) {
    OVER.get_or_init(|| Instant::now() + limit);
}

/// How long a test may wait for something that is not announced: half of the time that is left, so that what does not
/// come is a failure with a message, and not a hang.
pub(crate) fn patience() -> Duration {
    let Some(over) = OVER.get() else {
        return Duration::from_secs(10); // a clause that was called as a function
    };
    over.saturating_duration_since(Instant::now()) / 2
}

/// Says what a test is trying now. If it hangs, that is part of the verdict.
pub(crate) fn says(what: &str) {
    eprintln!("{SAYS}{}", what.replace('\n', " "));
}

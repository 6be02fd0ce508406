//! What is found is one line.

/// A line about something that is not as it should be: where, what, and what to do.
pub(super) fn finding(at: &str, what: impl AsRef<str>, fix: &str) -> String {
    format!("{at}: {}: {fix}", what.as_ref())
}

//! Runs code that we do not control, and keeps its panic from going any further.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs `code` and returns what it returns, or `None` if it panics.
///
/// By then the panic hook has printed the message. Only `resume_unwind` goes past the hook, so it prints nothing.
pub(crate) fn contain<T>(code: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(code)) {
        Ok(value) => Some(value),
        Err(mut payload) => {
            // We do not control the payload either: its destructor may panic, and that panic has a payload again.
            for _ in 0..3 {
                match catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                    Ok(()) => return None,
                    Err(next) => payload = next,
                }
            }
            mem::forget(payload); // because each payload may panic like the one before it
            None
        }
    }
}

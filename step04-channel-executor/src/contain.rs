//! Runs somebody else's code, and keeps its panic from going any further.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs `code` and returns what it returns, or `None` if it panics. The panic's message has been printed by then.
pub(crate) fn contain<T>(code: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(code)) {
        Ok(value) => Some(value),
        Err(mut payload) => {
            // What a panic carries is somebody else's too: its destructor may panic, and that panic carries something.
            for _ in 0..3 {
                match catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                    Ok(()) => return None,
                    Err(next) => payload = next,
                }
            }
            mem::forget(payload); // this would go on for ever
            None
        }
    }
}

//! Runs somebody else's code, and keeps its panic from going any further.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs `code` and returns what it returns, or `None` if it panics. The panic's message has been printed by then.
pub(crate) fn contain<T>(code: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(code)) {
        Ok(value) => Some(value),
        Err(payload) => {
            // What a panic carries is somebody else's too, and its destructor may panic. What *that* carries is
            // not looked at any more.
            if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                mem::forget(second);
            }
            None
        }
    }
}

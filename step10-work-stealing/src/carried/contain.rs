//! Runs code that we do not control, and keeps its panic from going any further.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs `code` and returns what it returns, or `None` if it panics. By then the panic hook has printed the message.
pub(crate) fn contain<T>(code: impl FnOnce() -> T) -> Option<T> {
    let caught = catch_unwind(AssertUnwindSafe(code));
    // The destructor of what the panic carries may panic too. What that panic carries is forgotten, because it may do the
    // same.
    let discard = |payload| catch_unwind(AssertUnwindSafe(|| drop(payload))).map_err(mem::forget);
    caught.map_err(discard).ok()
}

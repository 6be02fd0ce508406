//! Runs code that we do not control, and keeps its panic from going any further.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `code` and returns what it returns, or `None` if it panics. By then the panic hook has printed the message.
pub(crate) fn contain<T>(code: impl FnOnce() -> T) -> Option<T> {
    // What the panic carries is dropped, and its destructor may panic too. What that panic carries is forgotten, because it
    // may do the same.
    catch_unwind(AssertUnwindSafe(code))
        .map_err(|payload| catch_unwind(AssertUnwindSafe(|| drop(payload))).map_err(mem::forget))
        .ok()
}

//! Runs code that we do not control, and keeps its panic from going any further.

use std::{
    any::Any,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs `code` and returns what it returns, or `None` if it panics.
///
/// By then the panic hook has printed the message. Only `resume_unwind` goes past the hook, so it prints nothing.
pub(crate) fn contain<T>(code: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(code)).map_err(discard).ok()
}

/// Drops what a panic carries. We do not control that either: its destructor may panic, and that panic has a payload again.
fn discard(mut payload: Box<dyn Any + Send>) {
    for _ in 0..3 {
        match catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            Ok(()) => return,
            Err(next) => payload = next,
        }
    }
    mem::forget(payload); // because each payload may panic like the one before it
}

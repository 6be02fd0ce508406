//! The sections of the README to which messages send their readers. `book.rs` knows who has other pages in their place.

pub(crate) const PROMISE: &str = "the-promise-of-pending";
pub(crate) const POLLS: &str = "a-poll-for-each-wake";
pub(crate) const THREAD: &str = "a-thread-that-polls";
pub(crate) const INSIDE: &str = "futures-inside-of-a-future";
pub(crate) const DROPPED: &str = "what-is-dropped-too-early";
pub(crate) const ENDS: &str = "what-ends-a-task";
pub(crate) const WAITERS: &str = "who-waits-for-a-task";
/// What no watched future can tell.
pub(crate) const ELSE: &str = "what-else-can-hang";
/// How a run is shown event by event.
pub(crate) const TRACE: &str = "a-run-step-by-step";

//! s05g · complete · 30 minutes · chapter 05, "Park, unpark and block_on"
//!
//! Write `block_on` from nothing: a type for the waker to point to, its `Wake`, and the loop. Nothing is given but
//! `probe::Mutex` and `probe::Condvar`, and the thread sleeps in `wait` or `wait_while` and nowhere else. They have std's
//! functions. As with std's, `wait` may return although no thread has notified it, which is a *spurious wake-up*.
//!
//! It runs one future to its end on the calling thread. The future need not be `Send` or `'static`, and may come from
//! anywhere, so it has to be pinned. It is polled once at the start, and once more when it has been woken, however often it
//! was woken by then. In between the thread sleeps.
//!
//! A waker may be called from any thread and at any moment, also during the poll. The tests choose moments at which your
//! code has just released a lock or is about to sleep. And a wake belongs to one call: a poll may call `block_on` for
//! another future, and a waker that is left over from an earlier call causes no poll in a later one. When
//! `block_on` returns, it has dropped each waker that it has made.
//!
//! Run: `cargo test --bin s05g_block_on_from_nothing`
//! Red: `not yet implemented`. Later the watchdog, or how many polls there were, or at which moment a wake was lost.

use probe::{Condvar, Mutex};
use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

/// Runs a future to its end on this thread, which sleeps while the future is pending and has not been woken.
fn block_on<F: Future>(future: F) -> F::Output {
    // TODO: make a waker, poll, and sleep until the next wake.
    todo!()
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s05g_block_on_from_nothing.rs"]
mod tests;

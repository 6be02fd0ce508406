//! s05g · complete · 15 minutes · chapter 05, "Park, unpark and block_on"
//!
//! Write `block_on` from nothing: a type for the waker to point to, its `Wake`, and the loop. Nothing is given but
//! `probe::Mutex` and `probe::Condvar`, and the thread sleeps in `wait` and nowhere else. They do what std's do, and the
//! tests can act at each `lock`, `wait`, `notify_one` and `notify_all`. As std's, `wait` may return without a reason.
//!
//! It runs one future to its end on the calling thread. The future need not be `Send` or `'static`, and may come from
//! anywhere, so it has to be pinned. It is polled once at the start, and once more when it has been woken, however often it
//! was woken by then. In between the thread sleeps. A waker may be called from any thread, during the poll, and when
//! `block_on` has returned.
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

// The tests that this file must pass. Read them, but do not change them. Above each is #[test]
#[cfg(test)]
#[path = "../../checks/s05g_block_on_from_nothing.rs"]
mod tests;

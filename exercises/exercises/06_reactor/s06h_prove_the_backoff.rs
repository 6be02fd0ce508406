//! s06h · prove · 20 minutes · chapter 06, "One thread for all timers"
//!
//! This runs on tokio itself. `retry` calls a service that may be busy, up to ten times. It calls at once, and when a call has failed,
//! it pauses before the next one: for 1 second, then for 2, 4, 8, 16 and 32, and from then on for 60. It returns the first
//! answer that is `Ok`, or the tenth error, as soon as it is there.
//!
//! Write the body of `test_retry`: a test that accepts this `retry`, and catches eight versions of it that are wrong. A test
//! that waited for all these pauses would take four minutes, and nobody would run it. But the reactor decides what time it
//! is, so a test can have a clock of its own. Read about `start_paused` in the documentation of `tokio::runtime::Builder`, and
//! about `tokio::time::pause`: when does such a clock stand still, and when does it move? tokio's timers count in milliseconds and
//! round up, so compare whole seconds.
//!
//! Run: `cargo test --bin s06h_prove_the_backoff`, or save this file while `rustlings` runs.
//! Red: that your test waits for real, which version it did not catch, or that it refused a good one.

use std::{cell::RefCell, pin::Pin, rc::Rc, time::Duration};
use tokio::{
    runtime::Builder,
    time::{Instant, sleep},
};

/// What the service says: a number, or why there is none.
type Answer = Result<u32, &'static str>;

/// Calls the service. Makes a future that is ready when the service has answered.
type Call = Box<dyn FnMut() -> Pin<Box<dyn Future<Output = Answer>>>>;

/// A version of `retry`.
type Retry = fn(Call) -> Pin<Box<dyn Future<Output = Answer>>>;

/// Makes a `Call` of a closure and its future, as in `service(|| async { Ok(7) })`.
fn service<F: Future<Output = Answer> + 'static>(mut call: impl FnMut() -> F + 'static) -> Call {
    Box::new(move || Box::pin(call()))
}

/// Panics if this version of `retry` is wrong.
fn test_retry(retry: Retry) {
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        // TODO: a service of which you know when it is called, and which answers as your test wants it.
        let answer = retry(service(|| async { Err("busy") })).await;
        assert_eq!(answer, Err("busy"));
    });
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s06h_prove_the_backoff.rs"]
mod tests;

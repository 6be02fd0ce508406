//! s01d · prove · 15 minutes · chapter 01, "A future by hand"
//!
//! Write a test for a future that waits for a letter. Your test must accept the good version and fail on four broken
//! ones. One is ready before the letter has arrived, one never calls `wake`, one calls `wake` although nothing has
//! arrived, and one is still pending when the letter has arrived.
//!
//! You write the body of `test_letter`, with `assert!`. Pass `count` as the `wake`; `wakes()` says how many times it has
//! been called.
//!
//! Run: `cargo test --bin s01d_prove_the_promise`
//! Red: which broken version your test did not catch, or that it failed on the good one.

use std::cell::Cell;
use step01_simple_future::{Poll, SimpleFuture};

/// Waits for a letter.
trait Letter: SimpleFuture<Output = &'static str> {
    /// The letter arrives. A poll after this is ready.
    fn arrives(&mut self);
}

thread_local!(static WAKES: Cell<u32> = const { Cell::new(0) });

/// A `wake` that counts: pass it to `poll`.
fn count() {
    WAKES.set(WAKES.get() + 1);
}

/// How many times `count` has been called for this letter.
fn wakes() -> u32 {
    WAKES.get()
}

fn test_letter(letter: &mut dyn Letter) {
    // TODO: `letter.poll(count)`, then `letter.arrives()`, then poll again. After each step, `assert!` what a good letter
    // has done by then, with a message.
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s01d_prove_the_promise.rs"]
mod tests;

//! s01d, solved: before the event, at the event, after the event.

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
    let answer = letter.poll(count);
    assert!(
        answer == Poll::Pending,
        "ready before the letter has arrived"
    );
    assert!(wakes() == 0, "woken before the letter has arrived");
    letter.arrives();
    // Checked here and not after the next poll, because a run loop would make that poll only after this wake.
    assert!(
        wakes() > 0,
        "the letter has arrived, and `wake` was not called"
    );
    assert!(
        matches!(letter.poll(count), Poll::Ready(_)),
        "the letter has arrived, and the poll is not ready"
    );
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s01d_prove_the_promise.rs"]
mod tests;

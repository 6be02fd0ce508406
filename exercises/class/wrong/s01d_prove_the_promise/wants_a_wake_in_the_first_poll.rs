use std::cell::Cell;
use step01_simple_future::{Poll, SimpleFuture};

/// Waits for a letter.
trait Letter: SimpleFuture<Output = &'static str> {
    /// The letter comes. A poll after this is ready.
    fn comes(&mut self);
}

thread_local!(static WAKES: Cell<u32> = const { Cell::new(0) });

/// A `wake` that counts: pass it to `poll`.
fn count() {
    WAKES.set(WAKES.get() + 1);
}

/// How often `count` was called for this letter.
fn wakes() -> u32 {
    WAKES.get()
}

fn test_letter(letter: &mut dyn Letter) {
    let answer = letter.poll(count);
    assert!(answer == Poll::Pending, "ready before the letter has come");
    // ANCHOR: slip
    assert!(wakes() == 1, "Pending without a wake");
    // ANCHOR_END: slip
    letter.comes();
    // At this moment, and not after the next poll: a run loop would poll only because of this wake.
    assert!(wakes() > 0, "the letter has come, and nobody was woken");
    assert!(
        matches!(letter.poll(count), Poll::Ready(_)),
        "the letter has come, and the poll does not see it"
    );
}

fn main() {}

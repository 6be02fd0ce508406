//! s01d, solved: before the event, at the event, after the event.

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
    assert!(wakes() == 0, "woken before the letter has come");
    letter.comes();
    // At this moment, and not after the next poll: a run loop would poll only because of this wake.
    assert!(wakes() > 0, "the letter has come, and nobody was woken");
    assert!(
        matches!(letter.poll(count), Poll::Ready(_)),
        "the letter has come, and the poll does not see it"
    );
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{self, AssertUnwindSafe};
    use std::time::Duration;

    #[derive(Clone, Copy, PartialEq)]
    enum Version {
        Good,
        ReadyTooEarly,
        NeverWakes,
        WakesForNothing,
    }
    use Version::*;

    struct Versioned {
        version: Version,
        come: bool,
        wake: Option<fn()>,
    }

    impl SimpleFuture for Versioned {
        type Output = &'static str;

        fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
            if self.come || self.version == ReadyTooEarly {
                return Poll::Ready("Dear reader");
            }
            if self.version == WakesForNothing {
                wake();
            }
            self.wake = Some(wake);
            Poll::Pending
        }
    }

    impl Letter for Versioned {
        fn comes(&mut self) {
            self.come = true;
            if let (Some(wake), true) = (self.wake.take(), self.version != NeverWakes) {
                wake();
            }
        }
    }

    /// What your test says to this version: nothing, or the message of its panic.
    fn says(version: Version) -> Result<(), String> {
        WAKES.set(0);
        let mut letter = Versioned {
            version,
            come: false,
            wake: None,
        };
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let result = panic::catch_unwind(AssertUnwindSafe(|| test_letter(&mut letter)));
        panic::set_hook(hook);
        result.map_err(|payload| match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(payload) => payload.downcast_ref().map_or("", |text: &&str| text).into(),
        })
    }

    #[test]
    fn it_accepts_the_good_version_and_catches_the_broken_ones() {
        probe::within(Duration::from_secs(2), || {
            let test = async { verdict() };
            futures::executor::block_on(probe::watch("test_letter", test));
        });
    }

    fn accepts_the_good_one() {
        if let Err(message) = says(Good) {
            panic!(
                "Your test refused the good version. It said: {message:?}.\n\
                 The good one is pending until the letter comes, then calls `wake` once, and is ready at the next poll."
            );
        }
    }

    fn verdict() {
        accepts_the_good_one();
        for (version, what) in [
            (ReadyTooEarly, "is ready before the letter has come"),
            (NeverWakes, "never calls `wake`"),
            (WakesForNothing, "calls `wake` although nothing has come"),
        ] {
            assert!(
                says(version).is_err(),
                "Your test did not catch the version that {what}.\n\
                 Look at: at which step of a good run does that version differ? Assert something there."
            );
            // Once more, since what a test says may not depend on how often it has been run.
            accepts_the_good_one();
        }
    }
}

//! s02d, solved: no start before the first poll, one at it, none after it.

use std::cell::Cell;
use step02_join::{Poll, SimpleFuture};

type Timer = Box<dyn SimpleFuture<Output = ()>>;

thread_local!(static STARTS: Cell<u32> = const { Cell::new(0) });

/// How many threads the timers have started since the test began.
fn starts() -> u32 {
    STARTS.get()
}

/// `make` makes a timer that will not be ready before the test is over.
fn test_timer(make: &dyn Fn() -> Timer) {
    let mut timer = make();
    // This line alone tells a lazy timer from an eager one: after the first poll they look alike.
    assert!(starts() == 0, "started before the first poll");
    assert!(timer.poll(|| {}) == Poll::Pending, "ready too early");
    assert!(starts() == 1, "not started by the first poll");
    assert!(timer.poll(|| {}) == Poll::Pending, "ready too early");
    assert!(starts() == 1, "started again by the second poll");
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
        StartsWhenMade,
        StartsAtEveryPoll,
        NeverStarts,
    }
    use Version::*;

    struct Versioned {
        version: Version,
        polls: u32,
    }

    fn start() {
        STARTS.set(STARTS.get() + 1);
    }

    impl SimpleFuture for Versioned {
        type Output = ();

        fn poll(&mut self, _: fn()) -> Poll<()> {
            self.polls += 1;
            match self.version {
                Good if self.polls == 1 => start(),
                StartsAtEveryPoll => start(),
                _ => {}
            }
            Poll::Pending
        }
    }

    fn made(version: Version) -> Timer {
        if version == StartsWhenMade {
            start();
        }
        Box::new(Versioned { version, polls: 0 })
    }

    /// What your test says to this version: nothing, or the message of its panic.
    fn says(version: Version) -> Result<(), String> {
        STARTS.set(0);
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let result = panic::catch_unwind(AssertUnwindSafe(|| test_timer(&|| made(version))));
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
            futures::executor::block_on(probe::watch("test_timer", test));
        });
    }

    fn accepts_the_good_one() {
        if let Err(message) = says(Good) {
            panic!(
                "Your test refused the good version. It said: {message:?}.\n\
                 The good one starts one thread at its first poll, none before, and none after."
            );
        }
    }

    fn verdict() {
        accepts_the_good_one();
        for (version, what) in [
            (StartsWhenMade, "starts its thread when it is made"),
            (StartsAtEveryPoll, "starts a thread at every poll"),
            (NeverStarts, "never starts a thread"),
        ] {
            assert!(
                says(version).is_err(),
                "Your test did not catch the version that {what}.\n\
                 Look at: what is `starts()` before the first poll, after it and after the second, for that version \
                 and for the good one?"
            );
            // Once more, since what a test says may not depend on how often it has been run.
            accepts_the_good_one();
        }
    }
}

use super::*;
use std::time::Duration;

mod says;

#[derive(Clone, Copy, PartialEq)]
enum Version {
    Good,
    ReadyTooEarly,
    NeverWakes,
    WakesForNothing,
    NeverReady,
}
use Version::*;

struct Versioned {
    version: Version,
    arrived: bool,
    wake: Option<fn()>,
}

impl SimpleFuture for Versioned {
    type Output = &'static str;

    fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
        // Each broken version keeps the promise at all other steps, so no single `assert!` finds all four.
        if self.version == WakesForNothing {
            wake();
        } else {
            self.wake = Some(wake);
        }
        if self.arrived && self.version != NeverReady || self.version == ReadyTooEarly {
            return Poll::Ready("Dear reader");
        }
        Poll::Pending
    }
}

impl Letter for Versioned {
    fn arrives(&mut self) {
        self.arrived = true;
        if let (Some(wake), true) = (self.wake.take(), self.version != NeverWakes) {
            wake();
        }
    }
}

/// What your test says about this version: nothing, or the message of its panic.
fn says(version: Version) -> Result<(), String> {
    WAKES.set(0);
    let mut letter = Versioned {
        version,
        arrived: false,
        wake: None,
    };
    says::says(|| test_letter(&mut letter))
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
            "Your test failed on the good version, with the message {message:?}.\n\
             The good version is pending until the letter arrives, then calls `wake` once, and is ready at the next poll."
        );
    }
}

fn verdict() {
    accepts_the_good_one();
    for (version, what) in [
        (ReadyTooEarly, "is ready before the letter has arrived"),
        (NeverWakes, "never calls `wake`"),
        (WakesForNothing, "calls `wake` although nothing has arrived"),
        (NeverReady, "is still pending when the letter has arrived"),
    ] {
        assert!(
            says(version).is_err(),
            "Your test did not catch the version that {what}.\n\
             Look at: at which step does it differ from a good run? Put an `assert!` there."
        );
        // Once more, because what a test says must not depend on how many times it has run.
        accepts_the_good_one();
    }
}

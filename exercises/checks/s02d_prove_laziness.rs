use super::*;
use std::time::Duration;

mod says;

#[derive(Clone, Copy, PartialEq)]
enum Version {
    Good,
    StartsWhenCreated,
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
    if version == StartsWhenCreated {
        start();
    }
    Box::new(Versioned { version, polls: 0 })
}

/// What your test says about this version: nothing, or the message of its panic.
fn says(version: Version) -> Result<(), String> {
    STARTS.set(0);
    says::says(|| test_timer(&|| made(version)))
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
            "Your test failed on the good version, with the message {message:?}.\n\
             The good version starts one thread at its first poll, none before it, and none after it."
        );
    }
}

fn verdict() {
    accepts_the_good_one();
    for (version, what) in [
        (StartsWhenCreated, "starts its thread when it is created"),
        (StartsAtEveryPoll, "starts a thread at every poll"),
        (NeverStarts, "never starts a thread"),
    ] {
        assert!(
            says(version).is_err(),
            "Your test did not catch the version that {what}.\n\
             Look at: what is `starts()` before the first poll, after it, and after the second poll? \
             Compare that version with the good one."
        );
        // Once more, because what a test says must not depend on how many times it has run.
        accepts_the_good_one();
    }
}

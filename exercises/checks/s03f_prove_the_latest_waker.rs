use super::*;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::task::Waker;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq)]
enum Version {
    Good,
    GoodAndWakesTheEarlier,
    KeepsTheFirst,
    DropsAtTheSecond,
    NeverWakes,
}
use Version::*;

struct Versioned(Version, Mutex<(bool, Vec<Waker>)>);

impl Future for Versioned {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let (rung, wakers) = &mut *self.1.lock().unwrap();
        if *rung {
            return Poll::Ready(());
        }
        let first = wakers.is_empty();
        match self.0 {
            KeepsTheFirst if !first => {}
            GoodAndWakesTheEarlier => wakers.push(cx.waker().clone()),
            DropsAtTheSecond if !first => wakers.clear(),
            _ => *wakers = vec![cx.waker().clone()],
        }
        Poll::Pending
    }
}

impl Bell for Versioned {
    fn ring(&self) {
        let wakers = {
            let mut state = self.1.lock().unwrap();
            state.0 = true;
            std::mem::take(&mut state.1)
        };
        if self.0 != NeverWakes {
            wakers.into_iter().for_each(Waker::wake);
        }
    }
}

/// The verdict of your test on this version: it passes, or it panics with this message.
fn says(version: Version) -> Result<(), String> {
    let bell = Versioned(version, Mutex::default());
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = panic::catch_unwind(AssertUnwindSafe(|| test_bell(bell)));
    panic::set_hook(hook);
    result.map_err(|payload| match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref().map_or("", |text: &&str| text).into(),
    })
}

#[test]
fn it_accepts_the_good_versions_and_catches_the_broken_ones() {
    probe::within(Duration::from_secs(2), || {
        let test = async { verdict() };
        futures::executor::block_on(probe::watch("test_bell", test));
    });
}

fn verdict() {
    accepts_the_good_ones();
    for (version, what) in [
        (NeverWakes, "never wakes"),
        (KeepsTheFirst, "keeps the waker of its first poll"),
        (DropsAtTheSecond, "drops its waker at the second poll"),
    ] {
        assert!(
            says(version).is_err(),
            "Your test did not catch the version that {what}.\n\
             Look at: which polls does it take until this version behaves differently, and whose wakes show it?"
        );
        // Once more, because the verdict of a test may not depend on how often it has run.
        accepts_the_good_ones();
    }
}

fn accepts_the_good_ones() {
    for (version, what) in [
        (Good, "keeps the waker of the latest poll, and wakes it"),
        (
            GoodAndWakesTheEarlier,
            "wakes every task that has polled it, which is one extra wake, and allowed",
        ),
    ] {
        if let Err(message) = says(version) {
            panic!("Your test refused a good version. It said: {message:?}.\nThis version {what}.");
        }
    }
}

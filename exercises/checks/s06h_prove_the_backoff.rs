use super::*;
use std::{cell::Cell, iter, thread};
use tokio::time::sleep_until;

mod says;

const CALLS: u32 = 10;
const SECOND: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(60);

thread_local! {
    /// Whether a version was called where time passes by itself.
    static WAITS: Cell<bool> = const { Cell::new(false) };
}

/// Whether time passes by itself here, as it does unless the clock of this runtime is paused.
fn time_passes() -> bool {
    let before = Instant::now();
    thread::sleep(Duration::from_millis(1));
    Instant::now() > before
}

/// What is different in a version. This one is good.
#[derive(Clone, Copy)]
struct Version {
    first_pause: Duration,
    factor: u32,
    longest: Duration,
    calls: u32,
    /// The longest pause comes first.
    backwards: bool,
    waits_at_first: bool,
    waits_at_last: bool,
    /// A pause begins when its call does.
    from_the_call: bool,
    /// A pause in two parts.
    in_two: bool,
    waits_after_ok: bool,
}

const GOOD: Version = Version {
    first_pause: SECOND,
    factor: 2,
    longest: LONGEST,
    calls: CALLS,
    backwards: false,
    waits_at_first: false,
    waits_at_last: false,
    from_the_call: false,
    in_two: false,
    waits_after_ok: false,
};

async fn retry(version: Version, mut call: Call) -> Answer {
    if time_passes() {
        WAITS.set(true);
        return Err("the clock of your runtime is not paused");
    }
    let next = |pause: Duration| (pause * version.factor).min(version.longest);
    let pauses = iter::successors(Some(version.first_pause), |pause| Some(next(*pause)));
    let mut pauses: Vec<_> = pauses.take(version.calls as usize).collect();
    if version.backwards {
        // The pause after the last call is none of the nine.
        pauses[..CALLS as usize - 1].reverse();
    }
    if version.waits_at_first {
        sleep(version.first_pause).await;
    }
    for number in 1.. {
        let pause = pauses[number as usize - 1];
        let begun = Instant::now();
        let answer = call().await;
        if answer.is_ok() {
            if version.waits_after_ok {
                sleep(pause).await;
            }
            return answer;
        }
        if number == version.calls && !version.waits_at_last {
            return answer;
        }
        let from = if version.from_the_call {
            begun
        } else {
            Instant::now()
        };
        if version.in_two {
            sleep_until(from + pause / 2).await;
        }
        sleep_until(from + pause).await;
        if number == version.calls {
            return answer;
        }
    }
    unreachable!("the last call returns")
}

/// A version of `retry`, as the learner's test gets it.
macro_rules! version {
    ($($field:ident: $value:expr),*) => {{
        fn version(call: Call) -> Pin<Box<dyn Future<Output = Answer>>> {
            Box::pin(retry(Version { $($field: $value,)* ..GOOD }, call))
        }
        version as Retry
    }};
}

#[test]
fn it_accepts_good_versions_and_catches_the_others() {
    probe::within(Duration::from_secs(2), || {
        let test = async { verdict() };
        futures::executor::block_on(probe::watch("test_retry", test));
    });
}

fn says(version: Retry) -> Result<(), String> {
    WAITS.set(false);
    says::says(|| test_retry(version))
}

fn accepts_the_good_ones() {
    for (version, what) in [
        (version!(), "the good version"),
        (
            version!(in_two: true),
            "a good version, which sleeps through each pause in two parts",
        ),
    ] {
        let says = says(version);
        assert!(
            !WAITS.get(),
            "`retry` was called in a runtime whose clock is not paused, so your test would wait for four minutes.\n\
             Wanted: a runtime in which time passes only when every task waits for it, and then at once.\n\
             Look at: what can you tell the `Builder` of the runtime?"
        );
        if let Err(message) = says {
            panic!(
                "Your test refused {what}. It said: {message:?}.\n\
                 Look at: at which second of the clock is each of its ten calls made, and when does it return?"
            );
        }
    }
}

fn verdict() {
    accepts_the_good_ones();
    for (version, what, look_at) in [
        (
            version!(factor: 1),
            "pauses for 1 second each time",
            "how long is the second pause?",
        ),
        (
            version!(longest: LONGEST * 100),
            "doubles its pauses without a limit",
            "how long is the last pause?",
        ),
        (
            version!(backwards: true),
            "makes the same pauses in the opposite order, the longest first",
            "at which second is the third call made?",
        ),
        (
            version!(calls: CALLS + 1),
            "makes an eleventh call",
            "how many calls has your service seen when all of them fail?",
        ),
        (
            version!(waits_at_first: true),
            "pauses before its first call",
            "at which moment is the first call made?",
        ),
        (
            version!(waits_at_last: true),
            "pauses once more after the tenth call, and only then returns the error",
            "when does it return, and when was the tenth call over?",
        ),
        (
            version!(waits_after_ok: true),
            "pauses once more when an answer is `Ok`, and only then returns it",
            "what does your service say at the second call, say, and when does `retry` return?",
        ),
        (
            version!(from_the_call: true),
            "counts a pause from the beginning of the call that has failed",
            "how long does a call of your service take?",
        ),
    ] {
        assert!(
            says(version).is_err(),
            "Your test did not catch the version that {what}.\n\
             Look at: {look_at} What can you assert about it?"
        );
        // Once more, because what a test says must not depend on how many times it has run.
        accepts_the_good_ones();
    }
}

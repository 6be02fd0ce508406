//! s01a · complete · 10 minutes · chapter 01, "A future by hand"
//!
//! Red is normal: this exercise fails until you have written `poll`, and each one after it starts out failing too.
//!
//! `Countdown(3)` answers "not yet" three times, and at the fourth poll it is ready with `"liftoff"`. Nobody else
//! knows when it is worth asking again, so it calls `wake` itself, once before each "not yet".
//!
//! Run: `cargo test --bin s01a_countdown`, or save this file while `rustlings` runs.
//! Red: the test says what was asked, and what it saw at which poll.

use step01_simple_future::{Poll, SimpleFuture};

/// How often it will still answer "not yet".
struct Countdown(u32);

impl SimpleFuture for Countdown {
    type Output = &'static str;

    fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
        // TODO: count down and call `wake`, or be ready.
        Poll::Pending
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::time::Duration;

    static WAKES: AtomicU32 = AtomicU32::new(0);

    fn wake() {
        WAKES.fetch_add(1, SeqCst);
    }

    #[test]
    fn it_answers_not_yet_as_often_as_it_says() {
        probe::within(Duration::from_secs(2), || {
            let counts = async { [3, 1, 0].map(count_down) };
            futures::executor::block_on(probe::watch("Countdown", counts));
        });
    }

    fn count_down(from: u32) {
        let mut countdown = Countdown(from);
        for poll in 1..=from {
            let before = WAKES.load(SeqCst);
            let answer = countdown.poll(wake);
            let wakes = WAKES.load(SeqCst) - before;
            let seen = format!("Countdown({from}), poll {poll}");
            assert!(
                answer == Poll::Pending,
                "{seen}: asked for Pending {from} times before Ready. It answered {answer:?}."
            );
            assert!(
                wakes > 0,
                "{seen}: asked for a call of `wake` before each Pending.\n\
                 It answered Pending and did not call `wake`. Nobody would ever poll it again."
            );
            assert!(
                wakes == 1,
                "{seen}: asked for one call of `wake` before each Pending. It called it {wakes} times."
            );
        }
        let answer = countdown.poll(wake);
        assert!(
            answer == Poll::Ready("liftoff"),
            "Countdown({from}), poll {}: asked for Ready(\"liftoff\"), after {from} times Pending.\n\
             It answered {answer:?}.",
            from + 1
        );
    }
}

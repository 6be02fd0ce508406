use super::*;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

static WAKES: AtomicU32 = AtomicU32::new(0);

fn wake() {
    WAKES.fetch_add(1, SeqCst);
}

#[test]
fn it_is_pending_as_many_times_as_it_says() {
    probe::within(Duration::from_secs(2), || {
        let counts = async { [3, 1, 0, 20].map(count_down) };
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
            "{seen}: it should be Pending {from} times before it is Ready. It returned {answer:?}."
        );
        assert!(
            wakes > 0,
            "{seen}: it returned Pending and did not call `wake`.\n\
             Only this future was given that `wake`, so no other code calls it, and the run loop would never poll again."
        );
        assert!(
            wakes == 1,
            "{seen}: one call of `wake` for each Pending is enough. It called `wake` {wakes} times."
        );
    }
    let before = WAKES.load(SeqCst);
    let answer = countdown.poll(wake);
    let wakes = WAKES.load(SeqCst) - before;
    assert!(
        answer == Poll::Ready("liftoff"),
        "Countdown({from}), poll {}: it has been Pending {from} times, so now it should be Ready(\"liftoff\").\n\
         It returned {answer:?}.",
        from + 1
    );
    assert!(
        wakes == 0,
        "Countdown({from}), poll {}: it is ready, and it called `wake`.\n\
         Nothing is left to poll, so a wake now would only cost the run loop a round for nothing.",
        from + 1
    );
}

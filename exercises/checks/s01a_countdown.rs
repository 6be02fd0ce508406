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
        let counts = async { [&[3][..], &[1, 0, 20], &[5, u32::MAX, 5]].map(count_down) };
        futures::executor::block_on(probe::watch("Countdown", counts));
    });
}

/// They are polled in turns, and each until it is ready, or 21 times.
fn count_down(froms: &[u32]) {
    let mut countdowns: Vec<_> = froms.iter().map(|from| Countdown(*from)).collect();
    for poll in 1..=21 {
        for (from, countdown) in froms.iter().zip(&mut countdowns) {
            if poll <= from.saturating_add(1) {
                check(countdown, *from, poll);
            }
        }
    }
}

fn check(countdown: &mut Countdown, from: u32, poll: u32) {
    let before = WAKES.load(SeqCst);
    let answer = countdown.poll(wake);
    let wakes = WAKES.load(SeqCst) - before;
    let seen = format!("Countdown({from}), poll {poll}");
    if poll <= from {
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
    } else {
        assert!(
            answer == Poll::Ready("liftoff"),
            "{seen}: it has been Pending {from} times, so now it should be Ready(\"liftoff\").\n\
             It returned {answer:?}."
        );
        assert!(
            wakes == 0,
            "{seen}: it is ready, and it called `wake`.\n\
             Nothing is left to poll, so a wake now would only cost the run loop a round for nothing."
        );
    }
}

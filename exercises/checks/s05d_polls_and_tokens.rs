use super::*;
use probe::{Counted, watch, within};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use step05_parker_block_on::block_on;

fn polls_of(name: &str, future: impl Future<Output = ()>) -> usize {
    let counted = Counted::new(future);
    let counts = counted.counts();
    within(Duration::from_secs(2), || block_on(watch(name, counted)));
    counts.polls()
}

fn check(name: &str, predicted: Option<usize>, seen: usize, how_to_find_out: &str) {
    let predicted = predicted.unwrap_or_else(|| {
        panic!("{name}: write down your prediction first, as `Some(…)` in place of `None`.")
    });
    assert!(
        predicted == seen,
        "{name}: you predicted {predicted}, and the run says otherwise. {how_to_find_out}"
    );
}

#[test]
fn run_1() {
    check(
        "POLLS_OF_A_TIMER",
        POLLS_OF_A_TIMER,
        polls_of("a timer", timer()),
        "`block_on` polls at the start, and after each wake. Which wakes are there?",
    );
}

#[test]
fn run_2() {
    check(
        "POLLS_WOKEN_THREE_TIMES",
        POLLS_WOKEN_THREE_TIMES,
        polls_of("woken three times", woken_three_times()),
        "All three wakes come before `block_on` calls `park`. What does `park` find?",
    );
}

#[test]
fn run_3() {
    check(
        "POLLS_WITH_A_STRAY_TOKEN",
        POLLS_WITH_A_STRAY_TOKEN,
        polls_of("a stray token", with_a_stray_token()),
        "By which parker does this `block_on` sleep? Read step05-parker-block-on/src/block_on.rs.",
    );
}

#[test]
fn run_4() {
    let (parker, returned) = (Arc::new(Parker::default()), Arc::new(AtomicUsize::new(0)));
    unpark_three_times(&parker);
    thread::spawn({
        let (parker, returned) = (Arc::clone(&parker), Arc::clone(&returned));
        move || {
            loop {
                parker.park();
                returned.fetch_add(1, SeqCst);
            }
        }
    });
    within(Duration::from_secs(2), || {
        while returned.load(SeqCst) == 0 {
            thread::yield_now();
        }
    });
    // Time enough for another one to return.
    thread::sleep(Duration::from_millis(30));
    check(
        "PARKS_AFTER_THREE_UNPARKS",
        PARKS_AFTER_THREE_UNPARKS,
        returned.load(SeqCst),
        "Read the first lines of `Parker` in step05-parker-block-on/src/parker.rs, and draw its flag.",
    );
}

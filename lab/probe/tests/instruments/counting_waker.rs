//! A waker that counts.

use std::thread;

use why_pending::CountingWaker;

#[test]
fn a_waker_that_is_forgotten_shows_in_the_balance() {
    let counting = CountingWaker::new();
    let waker = counting.waker();
    let forgotten = std::mem::ManuallyDrop::new(waker.clone());
    drop(waker);
    assert_eq!(counting.live(), 1);
    drop(std::mem::ManuallyDrop::into_inner(forgotten));
    assert_eq!(counting.live(), 0);
}

#[test]
fn a_waker_outlives_the_one_who_counts() {
    let counting = CountingWaker::new();
    let waker = counting.waker();
    drop(counting);
    waker.wake();
}

#[test]
fn clone_from_the_same_source_clones_nothing() {
    let counting = CountingWaker::new();
    let mut kept = counting.waker();
    kept.clone_from(&counting.waker());
    assert_eq!(counting.clones(), 0);
    kept.clone_from(&CountingWaker::new().waker());
    assert_eq!(counting.live(), 0);
}

#[test]
fn no_wake_of_four_threads_is_missed() {
    let counting = CountingWaker::new();
    thread::scope(|scope| {
        for _ in 0..4 {
            let waker = counting.waker();
            scope.spawn(move || {
                for clone in vec![waker; 50] {
                    clone.wake();
                }
            });
        }
    });
    assert_eq!(
        (counting.wakes(), counting.clones(), counting.live()),
        (200, 196, 0)
    );
}

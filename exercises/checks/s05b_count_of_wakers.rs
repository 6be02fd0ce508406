use super::*;
use std::mem;

/// Spare counts, never given back. Because of them, a missing count shows as a number instead of freed memory.
const SPARE: usize = 100;

fn bell_and_waker() -> (Arc<Bell>, Waker) {
    let bell = Arc::new(Bell::default());
    for _ in 0..SPARE {
        mem::forget(Arc::clone(&bell));
    }
    let waker = waker(Arc::clone(&bell));
    (bell, waker)
}

/// How many wakers there are, by the count of the `Arc`.
fn counted(bell: &Arc<Bell>) -> isize {
    Arc::strong_count(bell) as isize - SPARE as isize - 1
}

/// One after the other, because a wrong count may end the process, and with it the message of another test.
#[test]
fn each_waker_owns_one_count() {
    clone_adds_one();
    drop_takes_one_away();
    wake_uses_one_up_and_wake_by_ref_does_not();
    nothing_is_left();
}

fn clone_adds_one() {
    let (bell, waker) = bell_and_waker();
    let clones = [(); 10].map(|()| waker.clone());
    let seen = counted(&bell);
    assert!(
        seen == 11,
        "10 clones were made, so there are 11 wakers; the count of the Arc says {seen}. What does `clone` do to \
         that count?"
    );
    drop(clones);
}

fn drop_takes_one_away() {
    let (bell, waker) = bell_and_waker();
    let clones = [(); 10].map(|()| waker.clone());
    drop(clones);
    drop(waker);
    let seen = counted(&bell);
    assert!(
        seen == 0,
        "all wakers were dropped, so there is none; the count of the Arc says {seen}. What does `drop_waker` do to \
         that count, and what did `clone` do before?"
    );
}

fn wake_uses_one_up_and_wake_by_ref_does_not() {
    let (bell, waker) = bell_and_waker();
    let clones = [(); 4].map(|()| waker.clone());
    clones.into_iter().for_each(Waker::wake);
    waker.wake_by_ref();
    let seen = counted(&bell);
    assert!(
        seen == 1,
        "4 clones were consumed by `wake`, so 1 waker is left; the count of the Arc says {seen}."
    );
    assert_eq!(
        bell.rung.load(SeqCst),
        5,
        "the bell was not rung at each wake"
    );
}

/// Without spare counts, so the bell goes when the last waker does, and not before.
fn nothing_is_left() {
    let bell = Arc::new(Bell::default());
    let alive = Arc::downgrade(&bell);
    let first = waker(Arc::clone(&bell));
    let second = first.clone();
    let third = second.clone();
    drop(bell);
    drop(first);
    second.wake();
    third.wake_by_ref();
    let rung = alive.upgrade().map(|bell| bell.rung.load(SeqCst));
    assert!(
        rung == Some(2),
        "A waker was cloned, and the clone was cloned. The first was dropped, the second woken by value and the third by reference. \
         The third is still there, and its bell was rung this many times: {rung:?}. Wanted: Some(2). Does each clone own a count of the \
         same bell?"
    );
    drop(third);
    let counts = alive.strong_count();
    assert!(
        counts == 0,
        "All wakers are gone, and so is the Arc that they were made from. Counts that are left: {counts}. Which function took a count \
         and did not give it back?"
    );
}

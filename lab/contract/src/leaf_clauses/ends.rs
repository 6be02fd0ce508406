//! When it is over, or dropped before that, nothing is left.

use std::panic::AssertUnwindSafe;

use super::{SOON, THIRTY_YEARS};
use crate::{
    Answer, Clause, Leaf, Test, bell::Bell, mutants::LeafDefect, runtime::caught,
    staged::comes_true,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "dropped_early",
        rule: "Dropped before it is ready, it leaves neither a waker nor a thread behind.",
        why: "A time-out that was not needed is dropped every time. What each leaves behind adds up.",
        from: &[51],
        choice: None,
        test: Test::Leaf(
            dropped_early,
            &[(LeafDefect::SleepsOnWhenDropped, "wakers are left")],
        ),
    },
    Clause {
        name: "dropped_late",
        rule: "Dropped after it was ready, it leaves no waker behind.",
        why: "A waker that nobody drops keeps the memory of its task for ever.",
        from: &[35, 39],
        choice: None,
        test: Test::Leaf(
            dropped_late,
            &[(LeafDefect::LeaksWhenOver, "wakers are left")],
        ),
    },
    Clause {
        name: "polled_after_ready",
        rule: "Polled after it was ready, it is ready again or panics. It does not wait for ever.",
        why: "It is a mistake of the caller, and a mistake should be heard.",
        from: &[],
        choice: Some(
            "Whether it is ready again or panics is left to each future. The trait allows even to wait for ever.",
        ),
        test: Test::Leaf(
            polled_after_ready,
            &[(LeafDefect::PendingAfterReady, "pending, after it was ready")],
        ),
    },
];

/// Ten timers are polled and dropped.
pub fn dropped_early(leaf: &'static dyn Leaf) -> Answer {
    Bell::new().finish(&mut leaf.timer(SOON)?);
    let bell = Bell::new();
    let before = probe::threads();
    for _ in 0..10 {
        let mut timer = leaf.timer(THIRTY_YEARS)?;
        assert!(bell.poll(&mut timer).is_pending());
    }
    comes_true(|| bell.kept() == 0);
    assert_eq!(bell.kept(), 0, "wakers are left");
    comes_true(|| probe::threads() <= before);
    let now = probe::threads();
    assert!(now <= before, "from {before:?} threads to {now:?}");
    Ok(())
}

/// A timer is run to its end and dropped.
pub fn dropped_late(leaf: &'static dyn Leaf) -> Answer {
    let bell = Bell::new();
    let mut timer = leaf.timer(SOON)?;
    bell.finish(&mut timer);
    drop(timer);
    comes_true(|| bell.kept() == 0);
    assert_eq!(bell.kept(), 0, "wakers are left");
    Ok(())
}

/// A timer is polled once more than is right.
pub fn polled_after_ready(leaf: &'static dyn Leaf) -> Answer {
    let bell = Bell::new();
    let mut timer = leaf.timer(SOON)?;
    bell.finish(&mut timer);
    if let Ok(again) = caught(AssertUnwindSafe(|| bell.poll(&mut timer))) {
        assert!(again.is_ready(), "pending, after it was ready");
    }
    Ok(())
}
